import { type RefObject, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { ApiFailure, messageFor } from '../../../api/failure.ts'
import { PublicationTypeSelect } from '../../../shell/choices/publication-type-select.tsx'
import { DateField, TimeField } from '../../../ui/date-field.tsx'
import { TextField } from '../../../ui/field.tsx'
import { RichEditor } from '../../../ui/rich-editor.tsx'
import type { Content } from './content.ts'
import styles from './writing.module.css'

/** Whether the form's fields show all details of an error. */
export const isToldByFields = (error: unknown, names: readonly string[]): boolean =>
  error instanceof ApiFailure &&
  error.details.length > 0 &&
  error.details.every(({ field }) => names.includes(field))

/** Focuses the first invalid field after an error, in the form that gets the returned ref. */
export function useFirstWrong(error: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [error])
  return form
}

type FieldsProps = {
  content: Content
  onChange: (changed: Partial<Content>) => void
  error: unknown
  /** A new key makes the editor show a text that was not typed in it. */
  editorKey: string
  /** Focuses the title, because it is the first field of the form. */
  isFirst?: boolean
}

/** Fields for title, text, type, dates and place, for writing and correcting. */
export function ContentFields({ content, onChange, error, editorKey, isFirst = false }: FieldsProps) {
  const words = useTranslations('writing')
  const wrong = (name: string) => messageFor(error, name)
  return (
    <>
      <TextField
        label={words('titre')}
        isRequired
        autoFocus={isFirst}
        maxLength={200}
        value={content.title}
        onChange={(title) => onChange({ title })}
        error={wrong('title')}
      />
      <RichEditor
        key={editorKey}
        label={words('text')}
        defaultValue={content.body}
        onChange={(body) => onChange({ body })}
        error={wrong('body')}
      />
      <PublicationTypeSelect
        label={words('type')}
        value={content.type_id}
        onChange={(type_id) => onChange({ type_id })}
      />
      <div className={styles.dates}>
        {(['date_debut', 'heure_debut', 'date_fin', 'heure_fin'] as const).map((name) => {
          const Field = name.startsWith('date') ? DateField : TimeField
          return (
            <Field
              key={name}
              label={words(name)}
              value={content[name]}
              onChange={(value) => onChange({ [name]: value })}
              error={wrong(name)}
            />
          )
        })}
      </div>
      <TextField
        label={words('lieu.nom')}
        maxLength={200}
        value={content['lieu.nom']}
        onChange={(nom) => onChange({ 'lieu.nom': nom })}
        error={wrong('lieu.nom')}
      />
      <TextField
        label={words('lieu.adresse')}
        maxLength={300}
        value={content['lieu.adresse']}
        onChange={(adresse) => onChange({ 'lieu.adresse': adresse })}
        error={wrong('lieu.adresse')}
      />
      <div className={styles.dates}>
        <TextField
          label={words('lieu.latitude')}
          help={words('lieu.latitudeHelp')}
          value={content['lieu.latitude']}
          onChange={(text) => onChange(pointIn(text) ?? { 'lieu.latitude': text })}
          error={wrong('lieu.latitude')}
        />
        <TextField
          label={words('lieu.longitude')}
          value={content['lieu.longitude']}
          onChange={(longitude) => onChange({ 'lieu.longitude': longitude })}
          error={wrong('lieu.longitude')}
        />
      </div>
    </>
  )
}

/** Reads both coordinates as maps copy them: `46.205, 5.225`. */
function pointIn(text: string): Partial<Content> | null {
  const [, latitude, longitude] = /^\s*(-?\d+\.\d+)[,;\s]+(-?\d+\.\d+)\s*$/.exec(text) ?? []
  return latitude && longitude ? { 'lieu.latitude': latitude, 'lieu.longitude': longitude } : null
}

/** Fields for the addresses of an image and of the original page. */
export function LinkFields({ content, onChange, error }: Omit<FieldsProps, 'editorKey' | 'isFirst'>) {
  const words = useTranslations('writing')
  return (
    <>
      <TextField
        label={words('image_url')}
        help={words('imageHelp')}
        type="url"
        value={content.image_url}
        onChange={(image_url) => onChange({ image_url })}
        error={messageFor(error, 'image_url')}
      />
      <TextField
        label={words('source_url')}
        type="url"
        value={content.source_url}
        onChange={(source_url) => onChange({ source_url })}
        error={messageFor(error, 'source_url')}
      />
    </>
  )
}
