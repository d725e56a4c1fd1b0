import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button, IconButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Key } from '../../ui/key.tsx'
import { ShownFailure } from '../shown-failure.tsx'
import { createTemplate, deleteTemplate, type Template, type TemplateKind } from './queries.ts'
import styles from './reject.module.css'

type LineProps = { template: Template; digit: number; isChosen: boolean; onChoose: () => void }

/** Template that a press or a digit key inserts. */
export function TemplateLine({ template, digit, isChosen, onChoose }: LineProps) {
  const words = useTranslations('reject')
  const client = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const remove = () =>
    void deleteTemplate(template).then(() => client.invalidateQueries({ queryKey: ['templates'] }), setError)
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

/** Saves the text as a template, with the placeholders `{{titre}}`, `{{acteur}}` and `{{nom}}`. */
export function SaveAsTemplate({ kind, body }: { kind: TemplateKind; body: string }) {
  const words = useTranslations('reject')
  const client = useQueryClient()
  const [name, setName] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  if (name === null) {
    return (
      <div>
        <Button look="quiet" small icon="star" onPress={() => setName('')}>
          {words('save')}
        </Button>
      </div>
    )
  }
  const save = () =>
    void createTemplate(kind, name, body).then(() => {
      setName(null)
      return client.invalidateQueries({ queryKey: ['templates'] })
    }, setError)
  return (
    <div className={styles.saving}>
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
      <Button isDisabled={name.trim() === ''} onPress={save}>
        {words('saveNow')}
      </Button>
    </div>
  )
}
