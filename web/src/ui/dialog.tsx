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
  /** Buttons, the one that does the deed last. */
  actions?: ReactNode
  /** From the side, for navigation on small screens. */
  drawer?: boolean
  wide?: boolean
  /** As large as there is room, for what is written beside how it will look. */
  full?: boolean
  /** Nothing goes on before this is done: it has no way out. */
  stays?: boolean
  alert?: boolean
}

/** Keeps the focus, and gives it back when it closes. Escape and a press outside close it. */
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
  /** The deed, as its button says it. */
  deed: string
  isOpen: boolean
  isPending?: boolean
  onClose: () => void
  onConfirm: () => void
}

/** Asks before a deed that cannot be undone. */
export function Confirm({
  title,
  children,
  deed,
  isOpen,
  isPending = false,
  onClose,
  onConfirm,
}: ConfirmProps) {
  const words = useTranslations('ui')
  return (
    <Dialog
      alert
      title={title}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} autoFocus>
            {words('cancel')}
          </Button>
          <Button look="danger" onPress={onConfirm} isPending={isPending}>
            {deed}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
