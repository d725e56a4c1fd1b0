import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { DraftConflict } from '../../shell/editing/conflict.tsx'
import { usePartDraft } from '../../shell/editing/part-draft.ts'
import { saveNewest } from '../../shell/editing/save.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { RecordHistory } from '../../shell/records/record-history.tsx'
import { useFailureToast } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Row } from '../../ui/layout.tsx'
import { Page } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { Table } from '../../ui/table.tsx'
import { showToast } from '../../ui/toast.tsx'
import { EditDialog, useSaving } from './edit.tsx'
import { deleteTerm, type SearchTerm, saveTerm, searchTopics, termsQuery } from './queries.ts'

type Opened = { deed: 'edit'; term: SearchTerm | null } | { deed: 'delete'; term: SearchTerm }

/** Terms that the search of the public site knows beside its own. */
export function TermsScreen() {
  const words = useTranslations('reference')
  const terms = useQuery(termsQuery)
  const client = useQueryClient()
  const [opened, setOpened] = useState<Opened | null>(null)
  const newest = (term: SearchTerm) => terms.data?.find(({ id }) => id === term.id) ?? term
  const close = () => setOpened(null)
  const changed = () => {
    close()
    void client.invalidateQueries({ queryKey: ['search-terms'] })
  }
  return (
    <Page
      title={words('terms.title')}
      actions={
        <Button look="primary" onPress={() => setOpened({ deed: 'edit', term: null })}>
          {words('terms.add')}
        </Button>
      }
    >
      <Link to="/system">{words('back')}</Link>
      <p>{words('terms.note')}</p>
      <QueryState query={terms} lines={6} />
      {terms.data && (
        <Table
          label={words('terms.title')}
          items={terms.data}
          empty={<p>{words('terms.empty')}</p>}
          columns={[
            { id: 'term', title: words('terms.term'), cell: ({ term }) => <strong>{term}</strong> },
            {
              id: 'topic',
              title: words('terms.topic'),
              cell: ({ topic }) => words(`terms.topics.${topic}`),
            },
            {
              id: 'actions',
              title: words('actions'),
              cell: (term) => (
                <Row>
                  <Button
                    small
                    aria-label={words('editNamed', { name: term.term })}
                    onPress={() => setOpened({ deed: 'edit', term })}
                  >
                    {words('edit')}
                  </Button>
                  <Button
                    small
                    look="quiet"
                    aria-label={words('terms.deleteNamed', { name: term.term })}
                    onPress={() => setOpened({ deed: 'delete', term })}
                  >
                    {words('terms.delete')}
                  </Button>
                </Row>
              ),
            },
          ]}
        />
      )}
      {opened?.deed === 'edit' && (
        <TermDialog term={opened.term && newest(opened.term)} onClose={close} onSaved={changed} />
      )}
      {opened?.deed === 'delete' && (
        <DeleteTerm term={newest(opened.term)} onClose={close} onDeleted={changed} />
      )}
    </Page>
  )
}

const typedOf = ({ term, topic }: SearchTerm) => ({ term, topic })
const emptyTerm: ReturnType<typeof typedOf> = { term: '', topic: 'collectes' }

type TermProps = { term: SearchTerm | null; onClose: () => void; onSaved: () => void }

function TermDialog({ term: before, onClose, onSaved }: TermProps) {
  const words = useTranslations('reference')
  const client = useQueryClient()
  const draft = usePartDraft(
    `search-term.${before?.id ?? 'new'}`,
    before === null ? emptyTerm : typedOf(before),
  )
  const { term, topic } = draft.mine
  const { saving, wrong } = useSaving(
    async () => {
      const body = { term: term.trim(), topic }
      if (before === null) return saveTerm(null, body)
      await saveNewest(client, termsQuery, (terms) => {
        const now = terms.find(({ id }) => id === before.id) ?? before
        draft.requireBase(typedOf(now))
        return saveTerm(now, body)
      })
    },
    () => {
      draft.clear()
      onSaved()
    },
  )
  const submit = () => {
    if (term.trim() !== '' && !draft.isBehind) saving.submit()
  }
  return (
    <EditDialog
      title={before === null ? words('terms.add') : words('editNamed', { name: before.term })}
      saving={saving}
      draft={draft}
      conflict={
        <DraftConflict
          draft={draft}
          linesOf={(typed) => [
            [words('terms.term'), typed.term],
            [words('terms.topic'), words(`terms.topics.${typed.topic}`)],
          ]}
        />
      }
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField
        label={words('terms.term')}
        help={words('terms.termHelp')}
        isRequired
        autoFocus
        autoComplete="off"
        maxLength={60}
        value={term}
        onChange={(text) => draft.put({ term: text })}
        error={wrong('term')}
      />
      <Select
        label={words('terms.topic')}
        value={topic}
        onChange={(chosen) => draft.put({ topic: chosen })}
        options={searchTopics.map((value) => ({ value, label: words(`terms.topics.${value}`) }))}
      />
      {before && <RecordHistory kind="search_term" id={before.id} />}
    </EditDialog>
  )
}

type DeleteProps = { term: SearchTerm; onClose: () => void; onDeleted: () => void }

function DeleteTerm({ term, onClose, onDeleted }: DeleteProps) {
  const words = useTranslations('reference.terms')
  const showFailure = useFailureToast()
  const deleting = useSubmit({
    mutationFn: () => deleteTerm(term),
    onSuccess: () => {
      showToast({ title: words('deleted', { name: term.term }) })
      onDeleted()
    },
    onError: (error) => {
      showFailure(words('notDeleted'), error)
      onClose()
    },
  })
  return (
    <Confirm
      title={words('deleteTitle', { name: term.term })}
      action={words('delete')}
      isOpen
      isPending={deleting.isPending}
      onClose={onClose}
      onConfirm={() => deleting.submit()}
    >
      <p>{words('deleteText')}</p>
    </Confirm>
  )
}
