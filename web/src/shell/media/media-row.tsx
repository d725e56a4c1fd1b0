import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { useTranslations } from 'use-intl'
import { maxAlt, maxNom } from '../../../../src/modules/media/limits.ts'
import { isStatus, messageFor } from '../../api/failure.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { cx } from '../../ui/cx.ts'
import { TextField } from '../../ui/field.tsx'
import { useIsSaving } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { useFailureText } from '../shown-failure.tsx'
import { useDescription } from './descriptions.ts'
import styles from './media.module.css'
import { type Document, type Image, type MediaKind, mediaQuery, thumbnailOf } from './queries.ts'
import { type Token, unsentIn } from './tokens.ts'
import { Unscanned } from './unscanned.tsx'
import { maxBytes, sendAgain, type Upload } from './uploads.ts'

export const iconOf = { image: 'picture', document: 'document' } as const

type RowProps = {
  kind: MediaKind
  token: Token
  index: number
  count: number
  upload: Upload | undefined
  /** As the record shows it, for those who do not manage the file. */
  known: Image | Document | undefined
  /** The refusal of the service, in words. */
  error: string | null
  isNamed: boolean
  hasCover: boolean
  /** Whether it is dragged, or another one would take its place. */
  dragged: 'from' | 'to' | null
  handle: object
  onMove: (to: number) => void
  onRemove: () => void
}

/** A picture or document of a form: where it is on its way, its place, and its description or name. */
export function MediaRow(props: RowProps) {
  const { kind, token, index, count, upload, known, error, isNamed, hasCover } = props
  const { dragged, handle, onMove, onRemove } = props
  const words = useTranslations('media')
  const isSaving = useIsSaving()
  const unsent = unsentIn(token)
  const query = useQuery({ ...mediaQuery(token), enabled: unsent === null })
  const media = query.data ?? known
  const place = { kind, place: index + 1, count }
  const source = upload?.thumbnail ?? (unsent === null ? thumbnailOf(token) : null)
  const mayDescribe =
    unsent === null ? query.data?.can.includes('edit') : upload !== undefined && !isUnusable(upload)
  return (
    <li className={cx(styles.row, dragged && styles[dragged])} aria-label={words('one', place)}>
      {count > 1 && (
        <span className={styles.handle} aria-hidden="true" {...handle}>
          <Icon name="grip" />
        </span>
      )}
      <span className={styles.frame}>
        {source === null ? <Icon name={iconOf[kind]} /> : <img src={source} alt="" draggable={false} />}
      </span>
      <div className={styles.place}>
        {hasCover && index === 0 && <Badge tone="accent">{words('cover')}</Badge>}
        {query.data?.unscanned_since && <Unscanned />}
        {unsent && <span className={styles.name}>{unsent.name}</span>}
        {media && 'pages' in media && media.pages !== null && (
          <Soft>{words('pages', { pages: media.pages })}</Soft>
        )}
        <Row as="span">
          {count > 1 && (
            <>
              <IconButton
                icon="up"
                label={words('earlier', place)}
                isDisabled={index === 0 || isSaving}
                onPress={() => onMove(index - 1)}
              />
              <IconButton
                icon="down"
                label={words('later', place)}
                isDisabled={index === count - 1 || isSaving}
                onPress={() => onMove(index + 1)}
              />
            </>
          )}
          <IconButton icon="close" label={words('remove', place)} isDisabled={isSaving} onPress={onRemove} />
        </Row>
      </div>
      <div className={styles.words}>
        {unsent && <Progress kind={kind} upload={upload} name={unsent.name} />}
        {mayDescribe && kind === 'image' && !isNamed && (
          <DescriptionFields token={token} stored={descriptionOf(media)} error={error} />
        )}
        {mayDescribe && kind === 'document' && (
          <NameField token={token} stored={nameOf(media) ?? nameOfFile(unsent?.name ?? '')} error={error} />
        )}
        {!mayDescribe && !isNamed && <p>{descriptionOf(media).alt || nameOf(media)}</p>}
        {query.data && !mayDescribe && !isNamed && <Soft>{words('fixed', { kind })}</Soft>}
        {(!mayDescribe || isNamed) && error && <p className={styles.error}>{error}</p>}
      </div>
    </li>
  )
}

type Described = Partial<Pick<Image, 'alt' | 'decorative'>> & { nom?: string | null }

export const descriptionOf = ({ alt, decorative }: Described = {}) => ({
  alt: alt ?? '',
  decorative: decorative ?? false,
})
const nameOf = ({ nom }: Described = {}) => nom ?? null
/** The name that the service gives a document, until it has been sent. */
export const nameOfFile = (file: string) =>
  file
    .replace(/\.pdf$/i, '')
    .replaceAll('_', ' ')
    .slice(0, maxNom)

/** Whether the file itself is refused: sent again, it would be again. */
const isUnusable = ({ step }: Upload) =>
  step.name === 'too-large' || (step.name === 'refused' && isStatus(step.error, 413, 422))

type ProgressProps = { kind: MediaKind; upload: Upload | undefined; name: string }

/** Says where a file is on its way. */
function Progress({ kind, upload, name }: ProgressProps) {
  const words = useTranslations('media')
  const textOf = useFailureText()
  if (upload === undefined) return <State tone="warn">{words('lost', { kind })}</State>
  const { key, step } = upload
  switch (step.name) {
    case 'sent':
      return null
    case 'waiting':
      return <State tone="warn">{words('waiting', { kind })}</State>
    case 'too-large':
      return <State tone="bad">{words('tooLarge', { kind, megabytes: maxBytes[kind] / 1e6 })}</State>
    case 'refused':
      return (
        <State tone="bad">
          {messageFor(step.error, 'file') === null
            ? textOf(step.error)
            : words('refused', { reason: messageFor(step.error, 'file') ?? '' })}
          {!isUnusable(upload) && (
            <Button small icon="refresh" onPress={() => sendAgain(key)}>
              {words('again')}
            </Button>
          )}
        </State>
      )
    default: {
      const part = step.name === 'sending' ? step.part : 0
      return (
        <div className={styles.progress}>
          <progress max={1} value={part} aria-label={words('sending', { name })} />
          <span aria-hidden="true">{words('part', { part })}</span>
        </div>
      )
    }
  }
}

function State({ tone, children }: { tone: 'warn' | 'bad'; children: ReactNode }) {
  return (
    <p role={tone === 'bad' ? 'alert' : 'status'} className={cx(styles.state, styles[tone])}>
      <Icon name={tone === 'bad' ? 'error' : 'warning'} />
      <span>{children}</span>
    </p>
  )
}

type DescriptionProps = {
  token: Token
  stored: { alt: string; decorative: boolean }
  error: string | null
}

/** What the picture shows, or that it says nothing. Saved as soon as the field is left. */
export function DescriptionFields({ token, stored, error }: DescriptionProps) {
  const words = useTranslations('media')
  const textOf = useFailureText()
  const reason = useId()
  const isSaving = useIsSaving()
  const { alt, decorative, change, save, error: failure } = useDescription(token, stored)
  const wrong = failure === null ? error : (messageFor(failure, 'alt') ?? textOf(failure))
  return (
    <>
      {!decorative && (
        <TextField
          label={words('alt')}
          isRequired
          help={<span id={reason}>{words('altHelp')}</span>}
          maxLength={maxAlt}
          value={alt}
          onChange={(typed) => change({ alt: typed })}
          onBlur={save}
          error={wrong}
        />
      )}
      <Checkbox
        isSelected={decorative}
        isDisabled={isSaving}
        onChange={(isDecorative) => {
          change({ decorative: isDecorative })
          save()
        }}
      >
        {words('decorative')}
      </Checkbox>
      {decorative && wrong && <p className={styles.error}>{wrong}</p>}
    </>
  )
}

type NameProps = { token: Token; stored: string; error: string | null }

/** The name under which a document is shown. Saved as soon as the field is left. */
function NameField({ token, stored, error }: NameProps) {
  const words = useTranslations('media')
  const textOf = useFailureText()
  const { nom, change, save, error: failure } = useDescription(token, { nom: stored })
  return (
    <TextField
      label={words('nom')}
      isRequired
      help={words('nomHelp')}
      maxLength={maxNom}
      value={nom}
      onChange={(typed) => change({ nom: typed })}
      onBlur={save}
      error={failure === null ? error : (messageFor(failure, 'nom') ?? textOf(failure))}
    />
  )
}
