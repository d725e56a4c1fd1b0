import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { maxDocuments, maxImages, namesOf } from '../../../../../src/modules/publications/fields.ts'
import { ApiFailure, messageFor } from '../../../api/failure.ts'
import { PublicationTypeSelect } from '../../../shell/choices/publication-type-select.tsx'
import { MediaField } from '../../../shell/media/media-field.tsx'
import { NotSentNotice } from '../../../shell/media/not-sent.tsx'
import type { Document, Image } from '../../../shell/media/queries.ts'
import { useFieldLabels } from '../../../shell/records/publication-fields.ts'
import { Switch } from '../../../ui/choice.tsx'
import { DateField, TimeField } from '../../../ui/date-field.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Fold } from '../../../ui/fold.tsx'
import { Soft } from '../../../ui/layout.tsx'
import { RichEditor } from '../../../ui/rich-editor.tsx'
import { type Content, placeNames } from './content.ts'
import { PointField } from './point-field.tsx'
import { RecurrenceFields, withFirstDay } from './recurrence-fields.tsx'
import styles from './writing.module.css'

/** The pictures and documents of a form, as the service names them in its errors. */
export const mediaNames = [
  ...Array.from({ length: maxImages }, (_, index) => `images.${index}`),
  ...Array.from({ length: maxDocuments }, (_, index) => `documents.${index}`),
]

/** Whether the form's fields show all details of an error. */
export const isToldByFields = (error: unknown, names: readonly string[]): boolean =>
  error instanceof ApiFailure &&
  error.details.length > 0 &&
  error.details.every(({ field }) => names.includes(field.replace(/^recurrence\..*/, 'recurrence')))

type FieldsProps = {
  content: Content
  onChange: (changed: Partial<Content>) => void
  error: unknown
  /** The series as readers may have seen it: dates that are taken from it are called off. */
  stored?: string
  /** A new key makes the editor show a text that was not typed in it. */
  editorKey: string
  /** The commune that the map of the place begins with. */
  communeId: string | undefined
  /** Focuses the title, because it is the first field of the form. */
  isFirst?: boolean
  /** Below the text. */
  media: ReactNode
}

/** Fields for the content except addresses, for writing and correcting. */
export function ContentFields({
  content,
  onChange,
  error,
  stored = '',
  editorKey,
  communeId,
  isFirst = false,
  media,
}: FieldsProps) {
  const words = useTranslations('writing')
  const labelOf = useFieldLabels()
  const wrong = (name: string) => messageFor(error, name)
  return (
    <>
      <TextField
        label={labelOf('title')}
        isRequired
        autoFocus={isFirst}
        maxLength={200}
        value={content.title}
        onChange={(title) => onChange({ title })}
        error={wrong('title')}
      />
      <RichEditor
        key={editorKey}
        label={labelOf('body')}
        defaultValue={content.body}
        onChange={(body) => onChange({ body })}
        error={wrong('body')}
      />
      {media}
      <PublicationTypeSelect
        label={labelOf('type_id')}
        value={content.type_id}
        onChange={(type_id) => onChange({ type_id })}
      />
      {/* Open: most of what is written happens on a day. */}
      <Fold title={words('when')} isOpen>
        <div className={styles.dates}>
          {(['date_debut', 'heure_debut', 'date_fin', 'heure_fin'] as const).map((name) => {
            const Field = name.startsWith('date') ? DateField : TimeField
            return (
              <Field
                key={name}
                label={labelOf(name)}
                value={content[name]}
                onChange={(value) =>
                  onChange(name === 'date_debut' ? withFirstDay(content, value) : { [name]: value })
                }
                error={wrong(name)}
              />
            )
          })}
        </div>
        <Soft>{words('datesHelp')}</Soft>
        <RecurrenceFields content={content} stored={stored} onChange={onChange} error={error} />
      </Fold>
      <PlaceFields content={content} onChange={onChange} error={error} communeId={communeId} />
      {namesOf('line').map((name) => (
        <TextField
          key={name}
          label={labelOf(name)}
          value={content[name]}
          onChange={(line) => onChange({ [name]: line })}
          error={wrong(name)}
        />
      ))}
    </>
  )
}

/** The place of an event, folded while it has none. */
function PlaceFields({
  content,
  onChange,
  error,
  communeId,
}: Pick<FieldsProps, 'content' | 'onChange' | 'error' | 'communeId'>) {
  const words = useTranslations('writing')
  const labelOf = useFieldLabels()
  const wrong = (name: string) => messageFor(error, name)
  return (
    <Fold title={words('where')} isOpen={placeNames.some((name) => content[name] !== '')}>
      <TextField
        label={labelOf('lieu.nom')}
        maxLength={200}
        value={content['lieu.nom']}
        onChange={(nom) => onChange({ 'lieu.nom': nom })}
        error={wrong('lieu.nom')}
      />
      <TextField
        label={labelOf('lieu.adresse')}
        maxLength={300}
        value={content['lieu.adresse']}
        onChange={(adresse) => onChange({ 'lieu.adresse': adresse })}
        error={wrong('lieu.adresse')}
      />
      <PointField content={content} onChange={onChange} error={error} communeId={communeId} />
    </Fold>
  )
}

type MediaProps = Pick<FieldsProps, 'content' | 'onChange' | 'error'> & {
  mayAdd?: boolean
  /** Null: of the team; undefined: not chosen yet. */
  acteurId: string | null | undefined
  known?: { images: readonly Image[]; documents: readonly Document[] }
  /** Address of a picture on another site, which can be removed. */
  foreign?: string
}

/** Pictures and documents of a publication; a picture on another site can only be removed. */
export function MediaFields({ content, onChange, foreign = '', known, ...props }: MediaProps) {
  const { acteurId, error, mayAdd = true } = props
  const words = useTranslations('writing')
  const labelOf = useFieldLabels()
  // Stays when its last document was removed, with what it says of that, and its errors.
  const hasDocuments = mayAdd || content.documents !== '' || (known?.documents.length ?? 0) > 0
  return (
    <>
      <NotSentNotice error={error} />
      {acteurId === undefined ? (
        <div>
          <strong>{labelOf('images')}</strong>
          <Soft>{words('chooseActeur')}</Soft>
        </div>
      ) : (
        <MediaField
          kind="image"
          label={labelOf('images')}
          help={words('imagesHelp')}
          takesPasted
          name="images"
          max={maxImages}
          value={content.images}
          onChange={(images) => onChange({ images })}
          known={known?.images ?? []}
          {...{ acteurId, error, mayAdd }}
        />
      )}
      {foreign !== '' && (
        <Switch
          isSelected={content.image_url === ''}
          onChange={(isRemoved) => onChange({ image_url: isRemoved ? '' : foreign })}
        >
          {words('removeImage')}
        </Switch>
      )}
      {acteurId !== undefined && hasDocuments && (
        <MediaField
          kind="document"
          label={labelOf('documents')}
          help={words('documentsHelp')}
          name="documents"
          max={maxDocuments}
          value={content.documents}
          onChange={(documents) => onChange({ documents })}
          known={known?.documents ?? []}
          {...{ acteurId, error, mayAdd }}
        />
      )}
    </>
  )
}

/** Fields for the addresses of other pages. */
export function LinkFields({
  content,
  onChange,
  error,
}: Pick<FieldsProps, 'content' | 'onChange' | 'error'>) {
  const words = useTranslations('writing')
  const labelOf = useFieldLabels()
  const names = namesOf('link')
  return (
    <Fold title={words('elsewhere')} isOpen={names.some((name) => content[name] !== '')}>
      {names.map((name) => (
        <TextField
          key={name}
          label={labelOf(name)}
          type="url"
          value={content[name]}
          onChange={(address) => onChange({ [name]: address })}
          error={messageFor(error, name)}
        />
      ))}
    </Fold>
  )
}
