import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { useMailPlace, withNote } from '../mail-place.tsx'
import { useShortcuts } from '../navigation/shortcuts.tsx'
import { ShownFailure } from '../shown-failure.tsx'
import { GroundList, groundShortcuts } from './grounds.tsx'
import { groundsQuery, type Template, type TemplateKind, templatesQuery } from './queries.ts'
import { SaveAsTemplate, TemplateList, templateShortcuts } from './templates.tsx'
import { useReason } from './use-reason.ts'

type ReasonProps = {
  /** Claims are refused, the others restrict publications or acteurs. A question to the claimant, unlike a reason, cannot be empty. */
  purpose?: 'reject' | 'delete' | 'unfeature' | 'duplicates' | 'deactivate' | 'refuse' | 'question'
  /** Kind of the templates that are offered; null: none are. */
  kind: TemplateKind | null
  title: string
  /** Says further effects of the decision. */
  note?: string | undefined
  /** Ids of the records. For several, templates with placeholders are not offered. */
  ids: readonly string[]
  onClose: () => void
  /**
   * Called with the text, which may still be loading, a callback that clears the draft on success, and for what restricts
   * the code of the ground, if one was chosen.
   */
  onSend: (text: string | Promise<string>, onSuccess: () => void, ground?: string) => void
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
  const reason = useReason(draft, record)
  const templates = useQuery({ ...templatesQuery(kind ?? 'rejection'), enabled: kind !== null })
  const takesGround = purpose !== 'refuse' && purpose !== 'question'
  const groundsState = useQuery({ ...groundsQuery, enabled: takesGround })
  const grounds = groundsState.data ?? []
  const [chosenGround, setGround] = useState<{ code: string; isOfTemplate: boolean } | null>(null)
  const ground = chosenGround?.code ?? null
  const pickGround = (code: string) => setGround({ code, isOfTemplate: false })
  const isLoading = (kind !== null && templates.isPending) || (takesGround && groundsState.isPending)
  // In the text, Enter starts a new line, and Ctrl-Enter decides.
  const [isTyping, setTyping] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const offered = ((kind && templates.data) ?? []).filter(
    ({ body }) => record !== null || !body.includes('{{'),
  )
  const hasNone = !isLoading && offered.length === 0
  useEffect(() => {
    if (hasNone) field.current?.focus()
  }, [hasNone])

  const choose = (template: Template) => {
    void reason.choose(template)
    // Keeps a ground that the user chose; drops that of the template before. An inactive ground is not taken.
    const code = grounds.find((one) => one.code === template.ground)?.code
    if (code !== undefined) setGround({ code, isOfTemplate: true })
    else if (chosenGround?.isOfTemplate) setGround(null)
  }
  const decide = () => {
    // Before the grounds are shown, the letter of one pressed just before had no effect.
    if (takesGround && groundsState.isPending) return
    const text = reason.toSend(maxLength)
    if (text === null) return field.current?.focus()
    if (purpose === 'question' && text === '') return
    onSend(text, reason.clear, ground ?? undefined)
    onClose()
  }
  useShortcuts(
    title,
    [
      ...templateShortcuts(offered, choose),
      ...groundShortcuts(grounds, pickGround),
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
            look={purpose === 'question' || purpose === 'duplicates' ? 'primary' : 'danger'}
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
      {grounds.length > 0 && <GroundList grounds={grounds} chosen={ground} onChoose={pickGround} />}
      {groundsState.isError && <ShownFailure error={groundsState.error} />}
      {offered.length > 0 && (
        <TemplateList
          label={words('templates')}
          templates={offered}
          chosen={reason.chosen}
          onChoose={choose}
        />
      )}
      {reason.error !== null && <ShownFailure error={reason.error} />}
      <TextField
        label={words(`actions.${purpose}.text`)}
        help={withNote(words(`actions.${purpose}.help`), purpose === 'question' ? mailNote : null)}
        rows={5}
        isRequired={purpose === 'question'}
        error={reason.isTooLong ? words('tooLong', { max: maxLength, length: reason.text.length }) : null}
        maxLength={maxLength}
        autoFocus={hasNone}
        inputRef={field}
        onFocus={() => setTyping(true)}
        onBlur={() => setTyping(false)}
        value={reason.text}
        onChange={reason.type}
      />
      {kind !== null && reason.text.trim() !== '' && reason.chosen === null && (
        <SaveAsTemplate
          kind={kind}
          ground={ground}
          body={reason.text.trim()}
          onSaved={(template) => {
            choose(template)
            field.current?.focus()
          }}
        />
      )}
    </Dialog>
  )
}
