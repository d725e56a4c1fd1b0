import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ApiFailure, messageFor, wasSentBefore } from '../../api/failure.ts'
import { communeChoices } from '../../shell/choices/choices.ts'
import { usePartDraft } from '../../shell/editing/part-draft.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { type Choice, Combo } from '../../ui/combo.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useFirstWrong } from '../../ui/use-first-wrong.ts'
import styles from './domains.module.css'
import { createDomain, domainQuery, groupChoices } from './queries.ts'

const kinds = ['commune', 'group'] as const
type Kind = (typeof kinds)[number]
type Typed = { host: string; kind: Kind; home: Choice | null }
const empty: Typed = { host: '', kind: 'commune', home: null }
const formId = 'new-domain'

/** Returns the host name in what was typed, which may be an address; with accents in the form of the DNS. */
const hostOf = (typed: string) =>
  URL.parse(/^https?:/i.test(typed.trim()) ? typed.trim() : `http://${typed.trim()}`)?.hostname ??
  typed.trim()

type AddProps = { onClose: () => void; onAdded: (id: string) => void }

/** Form of a new domain. Its page says how to prove it. */
export function AddDomain({ onClose, onAdded }: AddProps) {
  const words = useTranslations('domains')
  const client = useQueryClient()
  const draft = usePartDraft<Typed>('domain.new', empty)
  const { mine, key, put } = draft
  const { submit, isPending, error } = useSubmit({
    mutationFn: () =>
      createDomain(key, {
        host: hostOf(mine.host),
        ...(mine.kind === 'commune'
          ? { commune_id: mine.home?.id ?? null }
          : { group_id: mine.home?.id ?? null }),
      }),
    onError: (failure) => {
      if (wasSentBefore(failure)) draft.renewKey()
    },
    onSuccess: (domain) => {
      draft.clear()
      client.setQueryData(domainQuery(domain.id).queryKey, domain)
      void client.invalidateQueries({ queryKey: ['domains', 'list'] })
      showToast({ title: words('new.added', { host: domain.host }) })
      onAdded(domain.id)
    },
  })
  const form = useFirstWrong(error)
  const isKnown = error instanceof ApiFailure && error.code === 'conflict'
  const wrongHost = isKnown ? words('new.known') : messageFor(error, 'host')
  const wrongHome = messageFor(error, (field) => field === 'commune_id' || field === 'group_id')
  return (
    <Dialog
      title={words('new.title')}
      isOpen
      onClose={onClose}
      actions={
        <Button look="primary" type="submit" form={formId} isPending={isPending}>
          {words('new.add')}
        </Button>
      }
    >
      <Form ref={form} id={formId} isSaving={isPending} className={styles.form} onSubmit={() => submit()}>
        {error !== null && wrongHost === null && wrongHome === null && <ShownFailure error={error} />}
        <TextField
          label={words('host')}
          help={words('hostHelp')}
          isRequired
          value={mine.host}
          onChange={(host) => put({ host })}
          error={wrongHost}
        />
        <Select
          label={words('kind')}
          value={mine.kind}
          onChange={(kind) => put({ kind, home: null })}
          options={kinds.map((value) => ({ value, label: words(`kinds.${value}`) }))}
        />
        <Home
          key={mine.kind}
          kind={mine.kind}
          chosen={mine.home}
          onChoose={(home) => put({ home })}
          error={wrongHome}
        />
      </Form>
    </Dialog>
  )
}

type HomeProps = {
  kind: Kind
  chosen: Choice | null
  onChoose: (home: Choice | null) => void
  error: string | null
}

function Home({ kind, chosen, onChoose, error }: HomeProps) {
  const words = useTranslations('domains')
  const [asked, setAsked] = useState<string | null>(null)
  const q = asked ?? ''
  const found = useQuery<Choice[]>(kind === 'commune' ? communeChoices(q) : groupChoices(q))
  return (
    <Combo<Choice>
      label={words(`kinds.${kind}`)}
      isRequired
      typed={asked ?? chosen?.nom ?? ''}
      onType={setAsked}
      items={found.data ?? []}
      isSearching={found.isPending || found.isPlaceholderData}
      chosen={chosen}
      onChoose={(item) => {
        setAsked(null)
        onChoose(item && { id: item.id, nom: item.nom })
      }}
      error={error}
    />
  )
}
