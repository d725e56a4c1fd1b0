import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { messageFor, wasSentBefore } from '../../../api/failure.ts'
import { useChangesElsewhere } from '../../../shell/drafts.ts'
import { DraftConflict } from '../../../shell/editing/conflict.tsx'
import { usePartDraft } from '../../../shell/editing/part-draft.ts'
import { saveNewest } from '../../../shell/editing/save.ts'
import { SaveBar } from '../../../shell/editing/save-bar.tsx'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { tokensIn } from '../../../shell/media/tokens.ts'
import { NotSent } from '../../../shell/media/uploads.ts'
import { Segmented } from '../../../ui/choice.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { Soft } from '../../../ui/layout.tsx'
import { RichEditor } from '../../../ui/rich-editor.tsx'
import { Select } from '../../../ui/select.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useFirstWrong } from '../../../ui/use-first-wrong.ts'
import styles from '../page.module.css'
import { mayWrite, type OwnActeur } from '../rights.ts'
import { PageContacts } from './contacts.tsx'
import { PageFiles, sentFiles } from './files.tsx'
import { type CommunePage, createPage, type ListedPage, pageQuery, putPage, updatePage } from './queries.ts'
import { changesOf, emptyPage, type Typed, typedOf } from './typed.ts'

type FormProps = {
  acteur: OwnActeur
  communeId: string
  /** Null: a new one. */
  page: CommunePage | null
  pages: readonly ListedPage[]
}

/** Form of a page. What was typed stays on the device until it is saved. */
export function PageForm({ acteur, communeId, page, pages }: FormProps) {
  const words = useTranslations('espace.pages')
  const client = useQueryClient()
  const navigate = useNavigate()
  const name = `commune.page.${page?.id ?? `new.${communeId}`}`
  const draft = usePartDraft<Typed>(name, page ? typedOf(page) : emptyPage)
  const changesElsewhere = useChangesElsewhere(name)
  // Counts replaced texts: the editor needs a new key for a text that was not typed in it.
  const [texts, setTexts] = useState(0)
  const { mine, base, put } = draft
  const saving = useSubmit({
    mutationFn: async () => {
      const after = { ...mine, ...(await sentFiles(mine)) }
      if (page === null) return createPage(communeId, draft.key, changesOf(after, emptyPage))
      return saveNewest(client, pageQuery(communeId, page.id), (now) => {
        draft.requireBase(typedOf(now))
        return updatePage(now, changesOf(after, base))
      })
    },
    onError: (error) => {
      if (page === null && wasSentBefore(error)) draft.renewKey()
    },
    onSuccess: async (saved) => {
      putPage(saved)
      draft.clear()
      showToast({ title: words('saved', { title: saved.title }) })
      if (page === null)
        await navigate({
          to: '/espace/$acteurId/commune/$communeId/pages',
          params: { acteurId: acteur.acteur_id, communeId },
        })
    },
  })
  const { error } = saving
  const wrong = (field: string) => messageFor(error, field)
  const form = useFirstWrong(error)
  const linesOf = usePageLines(pages)
  return (
    <Form
      ref={form}
      isSaving={saving.isPending}
      className={styles.form}
      onSubmit={() => {
        if (draft.isChanged && !draft.isBehind) saving.submit()
      }}
    >
      {!saving.isPending && (
        <DraftConflict draft={draft} linesOf={linesOf} onChosen={() => setTexts(texts + 1)} />
      )}
      <TextField
        label={words('pageTitle')}
        isRequired
        maxLength={200}
        value={mine.title}
        onChange={(title) => put({ title })}
        error={wrong('title')}
      />
      <RichEditor
        key={`${texts} ${base.body} ${changesElsewhere}`}
        label={words('body')}
        help={words('bodyHelp')}
        defaultValue={mine.body}
        onChange={(body) => put({ body })}
        error={wrong('body')}
      />
      <ParentField page={page} pages={pages} value={mine.parent_id} onChange={put} />
      <PageFiles
        typed={mine}
        onChange={put}
        error={error}
        acteurId={acteur.acteur_id}
        page={page}
        mayAdd={mayWrite(acteur)}
      />
      <PageContacts contacts={mine.contacts} onChange={(contacts) => put({ contacts })} wrong={wrong} />
      <Segmented
        large
        label={words('state')}
        value={mine.status}
        onChange={(status) => put({ status })}
        options={(['draft', 'published'] as const).map((value) => ({
          value,
          label: words(`states.${value}`),
        }))}
      />
      <SaveBar
        isChanged={draft.isChanged}
        isPending={saving.isPending}
        error={error instanceof NotSent ? null : error}
        onDiscard={() => {
          draft.clear()
          setTexts(texts + 1)
          saving.reset()
        }}
      />
    </Form>
  )
}

type ParentProps = Pick<FormProps, 'page' | 'pages'> & {
  value: string
  onChange: (changed: { parent_id: string }) => void
}

/** The page at the top under which this one stands; one with pages below it stays at the top. */
function ParentField({ page, pages, value, onChange }: ParentProps) {
  const words = useTranslations('espace.pages')
  const above = pages.filter(({ id, parent_id }) => parent_id === null && id !== page?.id)
  if (pages.some(({ parent_id }) => parent_id !== null && parent_id === page?.id))
    return <Soft>{words('staysAtTop')}</Soft>
  if (above.length === 0) return null
  return (
    <Select
      label={words('parent')}
      value={value || 'top'}
      onChange={(id) => onChange({ parent_id: id === 'top' ? '' : id })}
      options={[
        { value: 'top', label: words('noParent') },
        ...above.map(({ id, title }) => ({ value: id, label: title })),
      ]}
    />
  )
}

/** Returns a function that says each field in words, for a conflict. */
function usePageLines(pages: readonly ListedPage[]) {
  const words = useTranslations('espace.pages')
  const media = useTranslations('media')
  const countOf = (kind: 'image' | 'document', tokens: string) =>
    media('removed', { kind, count: tokensIn(tokens).length })
  return (typed: Typed): [string, string][] => [
    [words('pageTitle'), typed.title],
    [words('body'), typed.body.replace(/<[^>]+>/g, ' ')],
    [words('parent'), pages.find(({ id }) => id === typed.parent_id)?.title ?? words('noParent')],
    [words('files'), `${countOf('image', typed.images)} ${countOf('document', typed.documents)}`],
    [words('contacts'), typed.contacts.map((contact) => Object.values(contact).join(' ')).join(', ')],
    [words('state'), words(`states.${typed.status}`)],
  ]
}
