import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { type SyntheticEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/empty.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Deeds, useSourceChange } from './deeds.tsx'
import { type Choice, settingsOf, typedOf, useTyped } from './draft.ts'
import { errorOf, SourceFields } from './fields.tsx'
import styles from './imports.module.css'
import { acteurQuery, type Settings, type Source, sourceQuery, updateSource } from './queries.ts'
import { Runs } from './runs.tsx'
import { lastErrorOf, type SourceState, stateOf, stateTones, useSaid } from './words.ts'

const route = getRouteApi('/signed-in/imports/$id')

/** A source: its state in words, what can be done with it, its settings and its runs. */
export function SourceScreen() {
  const words = useTranslations('imports')
  const { id } = route.useParams()
  const { page } = route.useSearch()
  const navigate = useNavigate()
  const found = useQuery(sourceQuery(id))
  const source = found.data
  const acteur = useQuery(acteurQuery(source?.acteur_id ?? null))
  const [isEditing, setEditing] = useState(false)
  const state = source && stateOf(source)
  const owner = acteur.data ? { id: acteur.data.id, nom: acteur.data.nom } : null
  const isOwnerKnown = source?.acteur_id === null || acteur.isSuccess
  return (
    <Page title={source?.nom ?? words('source')}>
      <div>
        <Button look="quiet" small icon="back" onPress={() => void navigate({ to: '/imports' })}>
          {words('title')}
        </Button>
      </div>
      {found.isError && <ShownFailure error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <Skeleton lines={8} />}
      {source && state && (
        <>
          <State source={source} state={state} />
          <Deeds source={source} onEdit={() => setEditing(true)} />
          <Section title={words('settings')}>
            <Facts
              facts={[
                [
                  words('address'),
                  <span key="url" className={styles.soft}>
                    {source.url}
                  </span>,
                ],
                [words('typeLabel'), words(`type.${source.type}`)],
                [
                  words('acteur'),
                  owner ? (
                    <Link key="acteur" to="/acteurs/$id" params={{ id: owner.id }}>
                      {owner.nom}
                    </Link>
                  ) : isOwnerKnown ? (
                    words('noActeur')
                  ) : (
                    '…'
                  ),
                ],
                [
                  words('news'),
                  words(source.moderation_status === 'published' ? 'newsPublished' : 'newsPending'),
                ],
                [
                  words('when'),
                  source.cron === null ? words('rhythm.manual') : <Rhythm key="cron" cron={source.cron} />,
                ],
              ]}
            />
          </Section>
          <Section title={words('history')} note={words('historyNote')}>
            <Runs
              filter={{ sourceId: id, page }}
              onPage={(next) => void navigate({ to: '/imports/$id', params: { id }, search: { page: next } })}
            />
          </Section>
          {isEditing && isOwnerKnown && (
            <Dialog title={words('editTitle')} isOpen onClose={() => setEditing(false)}>
              <EditForm source={source} acteur={owner} onClose={() => setEditing(false)} />
            </Dialog>
          )}
        </>
      )}
    </Page>
  )
}

const rhythms = {
  '0 * * * *': 'hourly',
  '0 */6 * * *': 'sixHours',
  '0 6 * * *': 'daily',
  '0 6 * * 1': 'weekly',
} as const

function Rhythm({ cron }: { cron: string }) {
  const words = useTranslations('imports')
  return cron in rhythms ? words(`rhythm.${rhythms[cron as keyof typeof rhythms]}`) : <code>{cron}</code>
}

/** Why a source does not run, and what makes it run again. */
function State({ source, state }: { source: Source; state: SourceState }) {
  const words = useTranslations('imports')
  const said = useSaid()
  const resuming = useSourceChange(() => updateSource(source, { actif: true }), words('resumed'))
  const { paused_reason, failures, last_run } = source
  if (state === 'paused' || state === 'off')
    return (
      <>
        <Notice
          tone={state === 'paused' ? 'bad' : 'info'}
          title={words(state === 'paused' ? 'pausedTitle' : 'offTitle', { count: failures })}
          action={
            <Button small icon="refresh" isPending={resuming.isPending} onPress={() => resuming.mutate()}>
              {words('resume')}
            </Button>
          }
        >
          {paused_reason !== null && <p>{words('lastError', { error: said(lastErrorOf(paused_reason)) })}</p>}
          <p>{words(state === 'paused' ? 'pausedText' : 'offText')}</p>
        </Notice>
        {resuming.isError && <ShownFailure error={resuming.error} />}
      </>
    )
  if (state === 'failing')
    return (
      <Notice tone="warn" title={words('failingTitle', { count: failures })}>
        {last_run?.error && <p>{words('lastError', { error: said(last_run.error) })}</p>}
        <p>{words('failingText')}</p>
      </Notice>
    )
  return (
    <p role="status">
      <Badge tone={stateTones[state]}>{words(`state.${state}`)}</Badge> {words(`stateText.${state}`)}
    </p>
  )
}

function EditForm({
  source,
  acteur,
  onClose,
}: {
  source: Source
  acteur: Choice | null
  onClose: () => void
}) {
  const words = useTranslations('imports')
  const client = useQueryClient()
  const { typed, change, clear } = useTyped(source.id, typedOf(source, acteur))
  const saving = useMutation({
    mutationFn: () => updateSource(source, changesOf(settingsOf(typed), settingsOf(typedOf(source, acteur)))),
    onSuccess: async () => {
      showToast({ title: words('changed') })
      clear()
      onClose()
      await client.invalidateQueries({ queryKey: ['runs'] })
    },
  })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <TextField
        label={words('address')}
        type="url"
        isRequired
        value={typed.url}
        onChange={(url) => change({ url })}
        error={errorOf(saving.error, 'url')}
      />
      <SourceFields typed={typed} onChange={change} error={saving.error} found={[]} />
      {saving.isError && <ShownFailure error={saving.error} />}
      <Button look="primary" type="submit" wide isPending={saving.isPending}>
        {words('save')}
      </Button>
    </form>
  )
}

/** Only what differs is sent, so that a value from elsewhere, such as demo content, stays as it is. */
const changesOf = (after: Settings, before: Settings): Partial<Settings> =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Settings]),
    ),
  )
