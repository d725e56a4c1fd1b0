import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'

type BadgeProps = {
  badge: string | null
  isPending?: boolean
  onClose: () => void
  /** Null removes the badge. */
  onSave: (badge: string | null) => void
}

export function BadgeDialog({ badge, isPending = false, onClose, onSave }: BadgeProps) {
  const words = useTranslations('acteurs.badgeOf')
  const [text, setText] = useState(badge ?? '')
  return (
    <Dialog
      title={words('title')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={() => onSave(null)} isPending={isPending}>
            {words('remove')}
          </Button>
          <Button
            look="primary"
            type="submit"
            form="badge"
            isDisabled={text.trim() === ''}
            isPending={isPending}
          >
            {words('save')}
          </Button>
        </>
      }
    >
      <Form
        id="badge"
        onSubmit={() => {
          if (text.trim() !== '') onSave(text.trim())
        }}
      >
        <TextField
          label={words('text')}
          help={words('help')}
          isRequired
          autoFocus
          maxLength={50}
          value={text}
          onChange={setText}
        />
      </Form>
    </Dialog>
  )
}
