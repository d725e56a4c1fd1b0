import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button, IconButton } from '../../ui/button.tsx'
import { Key } from '../../ui/key.tsx'
import { useDeletedToast } from '../deleted-toast.ts'
import { later } from '../later.tsx'
import { ShownFailure } from '../shown-failure.tsx'
import { createTemplate, deleteTemplate, type Template } from './queries.ts'
import styles from './reason-dialog.module.css'
import type { SaveProps } from './template-forms.tsx'

const inPage = { waits: true, inPage: true }
const EditTemplate = later(async () => (await import('./template-forms.tsx')).EditTemplate, inPage)
const NameTemplate = later(async () => (await import('./template-forms.tsx')).NameTemplate, inPage)

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

/** Saves the text as a template, with the placeholders `{{titre}}`, `{{acteur}}` and `{{nom}}`. */
export function SaveAsTemplate({ onSaved, ...template }: SaveProps) {
  const words = useTranslations('reject')
  const [isNaming, setNaming] = useState(false)
  if (isNaming)
    return (
      <NameTemplate
        {...template}
        onSaved={(saved) => {
          setNaming(false)
          onSaved?.(saved)
        }}
      />
    )
  return (
    <div>
      <Button look="quiet" small icon="star" onPress={() => setNaming(true)}>
        {words('save')}
      </Button>
    </div>
  )
}
