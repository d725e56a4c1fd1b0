import { useEffect, useId, useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { maxPixels, pictureFormats } from '../../../../src/modules/media/limits.ts'
import { messageFor } from '../../api/failure.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { useIsSaving } from '../../ui/form.tsx'
import { Soft } from '../../ui/layout.tsx'
import { later } from '../later.tsx'
import { dropDescription, moveDescription } from './descriptions.ts'
import { useDroppedFiles } from './dropped-files.ts'
import styles from './media.module.css'
import { iconOf, MediaRow } from './media-row.tsx'
import type { Document, Image, MediaKind } from './queries.ts'
import { moved, useReorder } from './reorder.ts'
import { type Token, textOf, tokensIn, unsentIn } from './tokens.ts'
import { addFile, idOfSent, maxBytes, removeFile, uploadOf, useUploads, withIds } from './uploads.ts'

const SentBefore = later(async () => (await import('./sent-before.tsx')).SentBefore, { waits: true })

/** An iPhone converts what it has in another format. */
const types: Record<MediaKind, string[]> = {
  image: pictureFormats.map((format) => `image/${format.toLowerCase()}`),
  document: ['application/pdf'],
}

/** Files without a type may be of any: the service decides by their bytes. */
const isOf = (kind: MediaKind, { type }: File) =>
  type === '' || (kind === 'image' ? type.startsWith('image/') : type === 'application/pdf')

type FieldProps = {
  kind: MediaKind
  label: string
  help?: string
  /** Tokens of the files, as the draft of the form stores them. */
  value: string
  onChange: (value: string) => void
  max: number
  /** The acteur that the files belong to; null: the team. */
  acteurId: string | null
  /** The files as the record shows them. */
  known?: readonly (Image | Document)[]
  /** The refusal of the form, and the name of this field in it. */
  error?: unknown
  name: string
  /** Takes files that are pasted anywhere in the page: the only such field of a form. */
  takesPasted?: boolean
  /** A name that stands beside the picture says what it shows: no description is asked for. */
  isNamed?: boolean
  /** Whether files can be added; otherwise only those that are there can be changed. */
  mayAdd?: boolean
}

/**
 * Pictures or documents of a record: chosen, taken, dropped or pasted; sent at once while the rest of the form is written;
 * described and put into an order. The first picture is the cover.
 */
export function MediaField(props: FieldProps) {
  const { kind, label, help, value, onChange, max, acteurId, known = [], error, name } = props
  const { takesPasted = false, isNamed = false, mayAdd = true } = props
  const words = useTranslations('media')
  const labelId = useId()
  const isSaving = useIsSaving()
  const uploads = useUploads()
  const [isChoosing, setChoosing] = useState(false)
  const [notice, setNotice] = useState('')
  const tokens = tokensIn(value)
  const change = (next: readonly Token[]) => onChange(textOf(next))
  const add = (chosen: readonly File[]) => {
    const left = Math.max(0, max - tokens.length)
    const taken = chosen.filter((file) => isOf(kind, file))
    setNotice(noticeOf(words, { kind, max, left, chosen: chosen.length, taken: taken.length }))
    if (taken.length > 0 && left > 0)
      change([...tokens, ...taken.slice(0, left).map((file) => addFile(kind, file, acteurId))])
  }
  const move = (from: number, to: number) => {
    change(moved(tokens, from, to))
    setNotice(words('moved', { kind, place: to + 1, count: tokens.length }))
  }
  const { drag, handleOf } = useReorder(move)

  // Files that have been sent meanwhile, also while the form was closed.
  const stored = withIds(value)
  useEffect(() => {
    if (stored === value) return
    for (const token of tokensIn(value)) {
      const id = idOfSent(token)
      if (id !== null) moveDescription(token, id)
    }
    onChange(stored)
  })
  const drop = useDroppedFiles(add, { isOn: mayAdd && !isSaving, takesPasted })
  const remove = (token: Token, index: number) => {
    const unsent = unsentIn(token)
    if (unsent !== null) removeFile(unsent.key)
    dropDescription(token)
    change(tokens.filter((_, at) => at !== index))
    setNotice(words('removed', { kind, count: tokens.length - 1 }))
  }
  const isFull = tokens.length >= max
  const wrong = messageFor(error, name)
  return (
    <fieldset className={styles.field} aria-labelledby={labelId}>
      <div>
        <span id={labelId} className={styles.label}>
          {label}
        </span>
        {help && <Soft>{help}</Soft>}
        {mayAdd && <Limits kind={kind} max={max} />}
      </div>
      {tokens.length > 0 && (
        <ol className={styles.list}>
          {tokens.map((token, index) => {
            const upload = uploadOf(uploads, token)
            return (
              <MediaRow
                key={upload?.key ?? token}
                kind={kind}
                token={token}
                index={index}
                count={tokens.length}
                upload={upload}
                known={known.find(({ id }) => id === token)}
                error={messageFor(error, `${name}.${index}`)}
                isNamed={isNamed}
                hasCover={kind === 'image' && max > 1}
                dragged={drag?.from === index ? 'from' : drag?.to === index ? 'to' : null}
                handle={isSaving ? {} : handleOf(index)}
                onMove={(to) => move(index, to)}
                onRemove={() => remove(token, index)}
              />
            )
          })}
        </ol>
      )}
      {mayAdd && (
        <div className={cx(styles.add, drop.isOver && styles.over)} {...drop.target}>
          <FileTrigger
            acceptedFileTypes={types[kind]}
            allowsMultiple={max > 1}
            onSelect={(files) => add([...(files ?? [])])}
          >
            <Button icon={iconOf[kind]} isDisabled={isFull || isSaving}>
              {words(max > 1 ? 'choose' : 'chooseOne', { kind })}
            </Button>
          </FileTrigger>
          {kind === 'image' && (
            <span className={styles.camera}>
              <FileTrigger
                acceptedFileTypes={types[kind]}
                defaultCamera="environment"
                onSelect={(files) => add([...(files ?? [])])}
              >
                <Button icon="camera" isDisabled={isFull || isSaving}>
                  {words('take')}
                </Button>
              </FileTrigger>
            </span>
          )}
          <Button
            look="quiet"
            icon="history"
            isDisabled={isFull || isSaving}
            onPress={() => setChoosing(true)}
          >
            {words('sentBefore', { kind })}
          </Button>
          <span className={styles.hint}>{words(takesPasted ? 'dropOrPaste' : 'drop')}</span>
        </div>
      )}
      <p role="status" className={styles.notice}>
        {notice}
      </p>
      {wrong && <p className={styles.error}>{wrong}</p>}
      {isChoosing && (
        <SentBefore
          kind={kind}
          acteurId={acteurId}
          used={tokens}
          onChoose={(id) => {
            setChoosing(false)
            change([...tokens, id])
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </fieldset>
  )
}

/** Says which files the service accepts, before one is refused. */
function Limits({ kind, max }: { kind: MediaKind; max: number }) {
  const words = useTranslations('media')
  const megabytes = maxBytes[kind] / 1e6
  const formats = pictureFormats.join(', ')
  return <Soft>{words('limits', { kind, max, formats, megabytes, megapixels: maxPixels / 1e6 })}</Soft>
}

type Chosen = { kind: MediaKind; max: number; left: number; chosen: number; taken: number }

/** Says what was not taken. */
function noticeOf(
  words: ReturnType<typeof useTranslations<'media'>>,
  { kind, max, left, chosen, taken }: Chosen,
): string {
  if (taken > left) return words('tooMany', { kind, max })
  return taken < chosen ? words('wrongKind', { kind }) : ''
}
