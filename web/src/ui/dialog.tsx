import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { Button, IconButton } from './button.tsx'
import { cx } from './cx.ts'
import styles from './dialog.module.css'

type DialogProps = {
  title: string
  isOpen: boolean
  onClose: () => void
  children: ReactNode
  /** Buttons; the confirming one comes last. */
  actions?: ReactNode
  /** Slides in from the side, for navigation on small screens. */
  drawer?: boolean
  wide?: boolean
  /** Fills the window, for a form beside its preview. */
  full?: boolean
  /** Cannot be dismissed: it has no close button and ignores Escape. */
  stays?: boolean
  alert?: boolean
}

/** Dialog that traps the focus and restores it on close. Escape and a press outside close it. */
export function Dialog({
  title,
  isOpen,
  onClose,
  children,
  actions,
  drawer,
  wide,
  full,
  stays,
  alert,
}: DialogProps) {
  const words = useTranslations('ui')
  return (
    <ModalOverlay
      data-modal
      className={cx(styles.scrim, drawer && styles.aside)}
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={!stays && !alert}
      isKeyboardDismissDisabled={stays ?? false}
    >
      <Modal className={cx(styles.modal, drawer && styles.drawer, wide && styles.wide, full && styles.full)}>
        <AriaDialog role={alert ? 'alertdialog' : 'dialog'} className={styles.dialog}>
          <header className={styles.head}>
            <Heading slot="title" className={styles.title}>
              {title}
            </Heading>
            {!stays && !alert && <IconButton icon="close" label={words('close')} onPress={onClose} />}
          </header>
          <div className={styles.body}>{children}</div>
          {actions && <footer className={styles.actions}>{actions}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

type ConfirmProps = {
  title: string
  /** Describes the effect, and whether it can be undone. */
  children: ReactNode
  /** Label of the confirming button. */
  action: string
  isOpen: boolean
  isPending?: boolean
  wide?: boolean
  /** Look of the confirming button; `primary` if nothing is lost. */
  look?: 'danger' | 'primary'
  onClose: () => void
  onConfirm: () => void
}

/** Asks for confirmation before an action that cannot be undone, or that tells somebody. */
export function Confirm({
  title,
  children,
  action,
  isOpen,
  isPending = false,
  wide = false,
  look = 'danger',
  onClose,
  onConfirm,
}: ConfirmProps) {
  const words = useTranslations('ui')
  return (
    <Dialog
      alert
      wide={wide}
      title={title}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} autoFocus={look === 'danger'}>
            {words('cancel')}
          </Button>
          <Button look={look} onPress={onConfirm} isPending={isPending} autoFocus={look === 'primary'}>
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
