import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { isStatus } from '../../api/failure.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Row } from '../../ui/layout.tsx'
import { useSubmit } from '../editing/use-submit.ts'
import { ShownFailure } from '../shown-failure.tsx'
import { createTemplate, type Template, type TemplateKind, updateTemplate } from './queries.ts'
import styles from './reason-dialog.module.css'

/** Form to change the name and the text of a template, for all colleagues. */
export function EditTemplate({ template, onClose }: { template: Template; onClose: () => void }) {
  const words = useTranslations('reject')
  const client = useQueryClient()
  const [name, setName] = useState(template.name)
  const [body, setBody] = useState(template.body)
  const reload = () => client.invalidateQueries({ queryKey: ['templates'] })
  const saving = useSubmit({
    mutationFn: () => updateTemplate(template, { name: name.trim(), body: body.trim() }),
    onSuccess: () => {
      onClose()
      return reload()
    },
    onError: (failure) => (isStatus(failure, 412) ? reload() : undefined),
  })
  const isEmpty = name.trim() === '' || body.trim() === ''
  const save = () => {
    if (!isEmpty) saving.submit()
  }
  const isTaken = isStatus(saving.error, 409)
  return (
    <Form isSaving={saving.isPending} className={styles.editing} onSubmit={save}>
      {saving.error !== null && !isTaken && <ShownFailure error={saving.error} />}
      <TextField
        label={words('name')}
        isRequired
        autoFocus
        maxLength={100}
        value={name}
        onChange={setName}
        error={isTaken ? words('nameTaken') : null}
      />
      <TextField
        label={words('templateText')}
        help={words('nameHelp', { titre: '{{titre}}', acteur: '{{acteur}}', nom: '{{nom}}' })}
        isRequired
        rows={4}
        maxLength={5_000}
        value={body}
        onChange={setBody}
      />
      <Row>
        <Button type="submit" look="primary" isDisabled={isEmpty} isPending={saving.isPending}>
          {words('saveNow')}
        </Button>
        <Button onPress={onClose}>{words('keepTemplate')}</Button>
      </Row>
    </Form>
  )
}

export type SaveProps = {
  kind: TemplateKind
  body: string
  /** Code of the ground that it explains. */
  ground?: string | null
  onSaved?: (template: Template) => void
}

/** Form for the name under which a text is saved as a template. */
export function NameTemplate({ kind, body, ground = null, onSaved }: SaveProps) {
  const words = useTranslations('reject')
  const client = useQueryClient()
  const [name, setName] = useState('')
  const saving = useSubmit({
    mutationFn: () => createTemplate({ kind, name: name.trim(), body, ground }),
    onSuccess: ({ data }) => {
      onSaved?.(data)
      return client.invalidateQueries({ queryKey: ['templates'] })
    },
  })
  const save = () => {
    if (name.trim() !== '') saving.submit()
  }
  return (
    <Form className={styles.saving} onSubmit={save}>
      {saving.error !== null && <ShownFailure error={saving.error} />}
      <TextField
        label={words('name')}
        help={words('nameHelp', { titre: '{{titre}}', acteur: '{{acteur}}', nom: '{{nom}}' })}
        isRequired
        autoFocus
        maxLength={100}
        value={name}
        onChange={setName}
      />
      <Button type="submit" isDisabled={name.trim() === ''} isPending={saving.isPending}>
        {words('saveNow')}
      </Button>
    </Form>
  )
}
