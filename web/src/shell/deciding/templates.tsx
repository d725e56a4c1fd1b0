import { useQueryClient } from '@tanstack/react-query'
import { type SyntheticEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button, IconButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Key } from '../../ui/key.tsx'
import { showToast } from '../../ui/toast.tsx'
import { ShownFailure } from '../shown-failure.tsx'
import { createTemplate, deleteTemplate, type Template, type TemplateKind } from './queries.ts'
import styles from './reject.module.css'

type LineProps = { template: Template; digit: number; isChosen: boolean; onChoose: () => void }

/** Template that a press or a digit key inserts. */
export function TemplateLine({ template, digit, isChosen, onChoose }: LineProps) {
  const words = useTranslations('reject')
  const client = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const reload = () => client.invalidateQueries({ queryKey: ['templates'] })
  const remove = () =>
    void deleteTemplate(template).then(() => {
      const { kind, name, body } = template
      const run = () => void createTemplate(kind, name, body).then(reload, setError)
      showToast({ title: words('deleted', { name }), action: { label: words('bringBack'), run } })
      return reload()
    }, setError)
  return (
    <li className={styles.template}>
      <Button look={isChosen ? 'primary' : 'plain'} wide aria-pressed={isChosen} onPress={onChoose}>
        <span className={styles.name}>
          <Key>{digit}</Key>
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
  const [error, setError] = useState<unknown>(null)
  const [isPending, setPending] = useState(false)
  if (name === null) {
    return (
      <div>
        <Button look="quiet" small icon="star" onPress={() => setName('')}>
          {words('save')}
        </Button>
      </div>
    )
  }
  const save = (event: SyntheticEvent) => {
    event.preventDefault()
    if (name.trim() === '' || isPending) return
    setPending(true)
    void createTemplate(kind, name.trim(), body)
      .then(({ data }) => {
        setName(null)
        onSaved?.(data)
        return client.invalidateQueries({ queryKey: ['templates'] })
      }, setError)
      .finally(() => setPending(false))
  }
  return (
    <form className={styles.saving} onSubmit={save}>
      {error !== null && <ShownFailure error={error} />}
      <TextField
        label={words('name')}
        help={words('nameHelp', { titre: '{{titre}}', acteur: '{{acteur}}', nom: '{{nom}}' })}
        isRequired
        autoFocus
        maxLength={100}
        value={name}
        onChange={setName}
      />
      <Button type="submit" isDisabled={name.trim() === ''} isPending={isPending}>
        {words('saveNow')}
      </Button>
    </form>
  )
}
