import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { isStatus } from '../../api/failure.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Key } from '../../ui/key.tsx'
import { Row } from '../../ui/layout.tsx'
import { useDeletedToast } from '../deleted-toast.ts'
import { useSubmit } from '../editing/use-submit.ts'
import { ShownFailure } from '../shown-failure.tsx'
import {
  createTemplate,
  deleteTemplate,
  type Template,
  type TemplateKind,
  updateTemplate,
} from './queries.ts'
import styles from './reason-dialog.module.css'

type ListProps = {
  label: string
  templates: readonly Template[]
  /** Id of the one whose text is shown. */
  chosen: string | null
  onChoose: (template: Template) => void
}

/** Templates to choose from; digits choose the first nine (see `templateShortcuts`). */
export function TemplateList({ label, templates, chosen, onChoose }: ListProps) {
  return (
    <ul className={styles.templates} aria-label={label}>
      {templates.map((template, index) => (
        <TemplateLine
          key={template.id}
          template={template}
          digit={index < 9 ? index + 1 : null}
          isChosen={template.id === chosen}
          onChoose={() => onChoose(template)}
        />
      ))}
    </ul>
  )
}

export const templateShortcuts = (templates: readonly Template[], choose: (template: Template) => void) =>
  templates.slice(0, 9).map((template, index) => ({
    key: String(index + 1),
    label: template.name,
    run: () => choose(template),
  }))

type LineProps = {
  template: Template
  /** Key that inserts it; null after the ninth. */
  digit: number | null
  isChosen: boolean
  onChoose: () => void
}

/** Template that a press or a digit key inserts. */
function TemplateLine({ template, digit, isChosen, onChoose }: LineProps) {
  const words = useTranslations('reject')
  const client = useQueryClient()
  const sayDeleted = useDeletedToast()
  const [error, setError] = useState<unknown>(null)
  const [isEditing, setEditing] = useState(false)
  const reload = () => client.invalidateQueries({ queryKey: ['templates'] })
  const remove = () =>
    void deleteTemplate(template).then(() => {
      sayDeleted(words('deleted', { name: template.name }), () => createTemplate(template).then(reload))
      return reload()
    }, setError)
  if (isEditing)
    return (
      <li>
        <EditTemplate template={template} onClose={() => setEditing(false)} />
      </li>
    )
  return (
    <li className={styles.template}>
      <Button look={isChosen ? 'primary' : 'plain'} wide aria-pressed={isChosen} onPress={onChoose}>
        <span className={styles.name}>
          {digit !== null && <Key>{digit}</Key>}
          {template.name}
        </span>
      </Button>
      <IconButton
        icon="edit"
        label={words('edit', { name: template.name })}
        onPress={() => setEditing(true)}
      />
      <IconButton icon="close" label={words('delete', { name: template.name })} onPress={remove} />
      {error !== null && <ShownFailure error={error} />}
    </li>
  )
}

/** Form to change the name and the text of a template, for all colleagues. */
function EditTemplate({ template, onClose }: { template: Template; onClose: () => void }) {
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

type SaveProps = {
  kind: TemplateKind
  body: string
  /** Code of the ground that it explains. */
  ground?: string | null
  onSaved?: (template: Template) => void
}

/** Saves the text as a template, with the placeholders `{{titre}}`, `{{acteur}}` and `{{nom}}`. */
export function SaveAsTemplate({ kind, body, ground = null, onSaved }: SaveProps) {
  const words = useTranslations('reject')
  const client = useQueryClient()
  const [name, setName] = useState<string | null>(null)
  const saving = useSubmit({
    mutationFn: (chosen: string) => createTemplate({ kind, name: chosen, body, ground }),
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
