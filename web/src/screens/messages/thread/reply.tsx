import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { fillIn, type Template, templatesQuery } from '../../../shell/deciding/queries.ts'
import { SaveAsTemplate, TemplateList, templateShortcuts } from '../../../shell/deciding/templates.tsx'
import { useMailPlace, withNote } from '../../../shell/mail-place.tsx'
import { useShortcuts } from '../../../shell/navigation/shortcuts.tsx'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { Row, Soft } from '../../../ui/layout.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { Message, ReadThread } from '../queries.ts'
import { useReplyDraft } from './draft.ts'
import styles from './thread.module.css'

type ReplyProps = {
  me: string
  thread: ReadThread
  /** Messages on the screen, oldest first. */
  messages: readonly Message[]
  isPending: boolean
  /** Whether the messages are being read again: a colleague's reply may be among them. */
  isReading: boolean
  /** Sends the text; `onRefused` if somebody changed the thread since. */
  onSend: (body: string, outcome: { onSent: () => void; onRefused: () => void }) => void
  onSent: () => void
  fieldRef: RefObject<HTMLInputElement | HTMLTextAreaElement | null>
}

/** Field for the reply. Digits insert a template, Ctrl and Enter send. */
export function Reply({ me, thread, messages, isPending, isReading, onSend, onSent, fieldRef }: ReplyProps) {
  const words = useTranslations('messages')
  const keys = useTranslations('help')
  const { mail, note } = useMailPlace()
  const draft = useReplyDraft(thread)
  const templates = useQuery(templatesQuery('reply'))
  const offered = templates.data ?? []
  const [isListed, setListed] = useState(false)
  const [chosen, setChosen] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const others = useOthersReplies(me, thread, messages, draft.text === '')
  /** Id of the latest reply of a colleague that the user has seen and answers all the same. */
  const [accepted, setAccepted] = useState<string | null>(null)
  const latest = others.at(-1)
  const isContested = draft.text.trim() !== '' && latest !== undefined
  const [isRetrying, setRetrying] = useState(false)

  const choose = async ({ id }: Template) => {
    setError(null)
    try {
      const text = await fillIn(id, thread.id)
      setChosen(id)
      draft.append(text)
      fieldRef.current?.focus()
    } catch (failure) {
      setError(failure)
    }
  }
  const send = () => {
    const body = draft.text.trim()
    if (body === '' || isPending) return
    if (latest !== undefined && accepted !== latest.id) {
      setAccepted(latest.id)
      return
    }
    if (isReading) {
      setRetrying(true)
      return
    }
    onSend(body, {
      onSent() {
        setChosen(null)
        setListed(false)
        onSent()
      },
      onRefused: () => setRetrying(true),
    })
  }
  useEffect(() => {
    // The thread changed since its version on the screen. Unless a colleague replied, the reply still fits.
    if (!isRetrying || isPending || isReading) return
    setRetrying(false)
    send()
  })
  useShortcuts(
    words('templates'),
    templateShortcuts(offered, (template) => void choose(template)),
  )
  const isFieldEmpty = draft.text.trim() === ''
  return (
    // Forms of templates stand beside that of the reply: browsers do not let one form send another inside it.
    <div className={styles.reply}>
      {isContested && (
        <Notice tone="warn" title={words('conflict', { nom: latest.author.nom ?? words('somebody') })}>
          <p>{words(accepted === latest.id ? 'conflictAccepted' : 'conflictHelp')}</p>
        </Notice>
      )}
      {error !== null && <ShownFailure error={error} />}
      {isListed && templates.isSuccess && offered.length === 0 && <Soft>{words('noTemplate')}</Soft>}
      {offered.length > 0 && isListed && (
        <TemplateList
          label={words('templates')}
          templates={offered}
          chosen={chosen}
          onChoose={(template) => void choose(template)}
        />
      )}
      <Form onSubmit={send}>
        <TextField
          label={words('reply')}
          help={withNote(words('replyHelp', { email: thread.email ?? '', mail }), note)}
          isRequired
          rows={5}
          isReadOnly={isPending || isRetrying}
          maxLength={10_000}
          value={draft.text}
          onChange={(text) => {
            setChosen(null)
            draft.setText(text)
          }}
          inputRef={fieldRef}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
            // Re-enables the shortcuts of the screen.
            else if (event.key === 'Escape') (event.target as HTMLElement).blur()
            else event.continuePropagation()
          }}
        />
        <Row>
          <Button
            look="primary"
            type="submit"
            keys="Control+Enter"
            shortcut={`${keys('control')} ${keys('enter')}`}
            isDisabled={isFieldEmpty}
            isPending={isPending || isRetrying}
          >
            {words(isContested && accepted === latest.id ? 'sendAnyway' : 'send')}
          </Button>
          <Button look="quiet" aria-expanded={isListed} onPress={() => setListed(!isListed)}>
            {words('templates')}
          </Button>
          <Soft as="span" role="status">
            {draft.state !== null && words(`draft.${draft.state}`)}
          </Soft>
        </Row>
      </Form>
      {!isFieldEmpty && chosen === null && (isListed || offered.length === 0) && (
        <SaveAsTemplate kind="reply" body={draft.text.trim()} />
      )}
    </div>
  )
}

/** Replies of colleagues since the user began to write. */
function useOthersReplies(me: string, thread: ReadThread, messages: readonly Message[], isEmpty: boolean) {
  const newest = messages.at(-1)?.created_at ?? ''
  const since = useRef(thread.draft?.updated_at ?? newest)
  if (isEmpty) since.current = newest
  return messages.filter(
    ({ direction, author, created_at }) =>
      direction === 'outbound' && author.id !== me && created_at > since.current,
  )
}
