import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { useDraft } from '../drafts.ts'
import { useMailPlace, withNote } from '../mail-place.tsx'
import { useShortcuts } from '../navigation/shortcuts.tsx'
import { ShownFailure } from '../shown-failure.tsx'
import { fillIn, type Template, type TemplateKind, templatesQuery } from './queries.ts'
import styles from './reason-dialog.module.css'
import { SaveAsTemplate, TemplateLine } from './templates.tsx'

type ReasonProps = {
  /** Claims are refused, publications rejected. A question to the claimant, unlike a reason, cannot be empty. */
  purpose?: 'reject' | 'refuse' | 'question'
  /** Kind of the templates that are offered; null: none are. */
  kind: TemplateKind | null
  title: string
  /** Says further effects of the decision. */
  note?: string | undefined
  /** Ids of the records. For several, templates with placeholders are not offered. */
  ids: readonly string[]
  onClose: () => void
  /** Called with the text, which may still be loading, and a callback that clears the draft on success. */
  onSend: (text: string | Promise<string>, onSuccess: () => void) => void
}

/** Dialog for a reason or a question. Digits choose a template, Enter sends the text exactly as shown. */
export function ReasonDialog({ purpose = 'reject', kind, title, note, ids, onClose, onSend }: ReasonProps) {
  const words = useTranslations('reject')
  const keys = useTranslations('help')
  const { note: mailNote } = useMailPlace()
  const maxLength = purpose === 'question' ? 5_000 : 1_000
  const record = ids.length === 1 ? (ids[0] ?? null) : null
  // The list may lose rows while the dialog is open: the text stays.
  const [draft] = useState(() => `${purpose}.${ids.toSorted().join()}`)
  const [reason, setReason, clearReason] = useDraft(draft)
  const templates = useQuery({ ...templatesQuery(kind ?? 'rejection'), enabled: kind !== null })
  const isLoading = kind !== null && templates.isPending
  const [chosen, setChosen] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isTooLong, setTooLong] = useState(false)
  // In the text, Enter starts a new line, and Ctrl-Enter decides.
  const [isTyping, setTyping] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  // Text of the chosen template; it may still be loading when the user decides.
  const filled = useRef<{ text: Promise<string>; loaded?: string } | null>(null)
  const offered = ((kind && templates.data) ?? []).filter(
    ({ body }) => record !== null || !body.includes('{{'),
  )
  const hasNone = !isLoading && offered.length === 0
  useEffect(() => {
    if (hasNone) field.current?.focus()
  }, [hasNone])

  const choose = async ({ id, body }: Template) => {
    setChosen(id)
    setError(null)
    setTooLong(false)
    const isTyped =
      reason !== '' && reason.trim() !== body && reason !== (await filled.current?.text.catch(() => ''))
    const text = record === null ? Promise.resolve(body) : fillIn(id, record)
    const mine: NonNullable<typeof filled.current> = {
      text: isTyped ? text.then((added) => `${reason}\n\n${added}`) : text,
    }
    filled.current = mine
    try {
      mine.loaded = await mine.text
      if (filled.current === mine) setReason(mine.loaded)
    } catch (failure) {
      if (filled.current === mine) setError(failure)
    }
  }
  const type = (text: string) => {
    filled.current = null
    setChosen(null)
    setTooLong(false)
    setReason(text)
  }
  const decide = () => {
    const shown = filled.current === null ? reason.trim() : filled.current.loaded
    const asked = shown ?? filled.current?.text ?? ''
    if (purpose === 'question' && asked === '') return
    if (shown !== undefined && shown.length > maxLength) {
      setTooLong(true)
      field.current?.focus()
      return
    }
    onSend(asked, clearReason)
    onClose()
  }
  useShortcuts(
    title,
    [
      ...offered.slice(0, 9).map((template, index) => ({
        key: String(index + 1),
        label: template.name,
        run: () => void choose(template),
      })),
      {
        key: 'Enter',
        label: words(`actions.${purpose}.decide`),
        // Before the templates are shown, the digit of one pressed just before had no effect.
        run: () => !isLoading && decide(),
      },
      { key: 'Enter', withControl: true, label: words(`actions.${purpose}.decide`), run: decide },
    ],
    { isDialog: true },
  )
  return (
    <Dialog
      wide
      title={title}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{words(`actions.${purpose}.keep`)}</Button>
          <Button
            look={purpose === 'question' ? 'primary' : 'danger'}
            keys={isTyping ? 'Control+Enter' : 'Enter'}
            shortcut={isTyping ? `${keys('control')} ${keys('enter')}` : keys('enter')}
            onPress={decide}
          >
            {words(`actions.${purpose}.decide`)}
          </Button>
        </>
      }
    >
      {note && <p>{note}</p>}
      {offered.length > 0 && (
        <ul className={styles.templates} aria-label={words('templates')}>
          {offered.map((template, index) => (
            <TemplateLine
              key={template.id}
              template={template}
              digit={index < 9 ? index + 1 : null}
              isChosen={template.id === chosen}
              onChoose={() => void choose(template)}
            />
          ))}
        </ul>
      )}
      {error !== null && <ShownFailure error={error} />}
      <TextField
        label={words(`actions.${purpose}.text`)}
        help={withNote(words(`actions.${purpose}.help`), purpose === 'question' ? mailNote : null)}
        rows={5}
        isRequired={purpose === 'question'}
        error={isTooLong ? words('tooLong', { max: maxLength, length: reason.length }) : null}
        maxLength={maxLength}
        autoFocus={hasNone}
        inputRef={field}
        onFocus={() => setTyping(true)}
        onBlur={() => setTyping(false)}
        value={reason}
        onChange={type}
      />
      {kind !== null && reason.trim() !== '' && chosen === null && (
        <SaveAsTemplate
          kind={kind}
          body={reason.trim()}
          onSaved={(template) => {
            void choose(template)
            field.current?.focus()
          }}
        />
      )}
    </Dialog>
  )
}
