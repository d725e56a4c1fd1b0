import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Segmented } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { Soft } from '../../ui/layout.tsx'
import styles from './acteurs.module.css'
import type { Membership } from './members.queries.ts'

const formId = 'member'

/** Permissions that an editor can have, the most frequent first. */
export const permissionsFor = (type: string) =>
  [
    'manage_publications',
    'publish_publications',
    'manage_page',
    ...(type === 'mairie' || type === 'intercommunalite'
      ? (['manage_commune', 'publish_acts'] as const)
      : []),
  ] as const

type FormProps = {
  title: string
  /** Label of the button; by default it says that the rights are saved. */
  action?: string
  /** Null: a new member. */
  membership: Membership | null
  /** Permissions that an editor can have. */
  offered: readonly Membership['permissions'][number][]
  /** Whether it is known who the member is. */
  isReady: boolean
  error: unknown
  isPending: boolean
  /** Field for who a new member is. */
  children?: ReactNode
  onClose: () => void
  onSave: (membership: Membership) => void
}

/** Dialog for the role and the permissions of a member, for administrators and owners. */
export function MemberForm(props: FormProps) {
  const { title, action, membership, offered, isReady, error, isPending, children, onClose, onSave } = props
  const words = useTranslations('acteurs.members')
  const [role, setRole] = useState(membership?.role ?? 'editor')
  const [given, setGiven] = useState<Membership['permissions']>(
    membership?.permissions ?? ['manage_publications'],
  )
  const save = () => {
    if (isReady) onSave({ role, permissions: role === 'owner' ? [] : given })
  }
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      actions={
        <Button look="primary" type="submit" form={formId} isDisabled={!isReady} isPending={isPending}>
          {action ?? words('save')}
        </Button>
      }
    >
      <Form id={formId} isSaving={isPending} className={styles.form} onSubmit={save}>
        {error !== null && <ShownFailure error={error} />}
        {children}
        <Segmented
          label={words('as')}
          value={role}
          onChange={setRole}
          options={(['editor', 'owner'] as const).map((value) => ({ value, label: words(`role.${value}`) }))}
        />
        <Soft>{words(`about.${role}`)}</Soft>
        {role === 'editor' &&
          offered.map((one) => (
            <Checkbox
              key={one}
              isSelected={given.includes(one)}
              onChange={(isOn) => setGiven(isOn ? [...given, one] : given.filter((other) => other !== one))}
            >
              {words(`may.${one}`)}
            </Checkbox>
          ))}
      </Form>
    </Dialog>
  )
}
