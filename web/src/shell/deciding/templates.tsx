import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button, IconButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Key } from '../../ui/key.tsx'
import { useDeletedToast } from '../deleted-toast.ts'
import { useSubmit } from '../editing/use-submit.ts'
import { ShownFailure } from '../shown-failure.tsx'
import { createTemplate, deleteTemplate, type Template, type TemplateKind } from './queries.ts'
import styles from './reason-dialog.module.css'

type LineProps = {
  template: Template
  /** Key that inserts it; null after the ninth. */
  digit: number | null
  isChosen: boolean
  onChoose: () => void
}

/** Template that a press or a digit key inserts. */
export function TemplateLine({ template, digit, isChosen, onChoose }: LineProps) {
  const words = useTranslations('reject')
  const client = useQueryClient()
  const sayDeleted = useDeletedToast()
  const [error, setError] = useState<unknown>(null)
  const reload = () => client.invalidateQueries({ queryKey: ['templates'] })
  const remove = () =>
    void deleteTemplate(template).then(() => {
      const { kind, name, body } = template
      sayDeleted(words('deleted', { name }), () => createTemplate(kind, name, body).then(reload))
      return reload()
    }, setError)
  return (
    <li className={styles.template}>
      <Button look={isChosen ? 'primary' : 'plain'} wide aria-pressed={isChosen} onPress={onChoose}>
        <span className={styles.name}>
          {digit !== null && <Key>{digit}</Key>}
          {template.name}
        </span>
      </Button>
      <IconButton icon="close" label={words('delete', { name: template.name })} onPress={remove} />
      {error !== null && <ShownFailure error={error} />}
    </li>
  )
}

type SaveProps = { kind: TemplateKind; body: string; onSaved?: (template: Template) => void }

/** Saves the text as a template, with the placeholders `{{titre}}`, `{{acteur}}` and `{{nom}}`. */
export function SaveAsTemplate({ kind, body, onSaved }: SaveProps) {
  const words = useTranslations('reject')
  const client = useQueryClient()
  const [name, setName] = useState<string | null>(null)
  const saving = useSubmit({
    mutationFn: (chosen: string) => createTemplate(kind, chosen, body),
    onSuccess: ({ data }) => {
      setName(null)
      onSaved?.(data)
      return client.invalidateQueries({ queryKey: ['templates'] })
    },
  })
  if (name === null) {
    return (
      <div>
        <Button look="quiet" small icon="star" onPress={() => setName('')}>
          {words('save')}
        </Button>
      </div>
    )
  }
  const save = () => {
    if (name.trim() !== '') saving.submit(name.trim())
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
