import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { messageFor } from '../../api/failure.ts'
import { publicationTypesQuery } from '../../shell/choices/choices.ts'
import { DraftConflict } from '../../shell/editing/conflict.tsx'
import { usePartDraft } from '../../shell/editing/part-draft.ts'
import { Overtaken, saveNewest } from '../../shell/editing/save.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { BackTo } from '../../shell/records/back-to.tsx'
import { RecordHistory } from '../../shell/records/record-history.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import type { Choice } from '../../ui/combo.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/empty.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Actions, useSourceChange } from './actions.tsx'
import { isMapped, settingsOf, typedOf } from './draft.ts'
import { SourceFields } from './fields.tsx'
import styles from './imports.module.css'
import {
  acteurQuery,
  communeQuery,
  type Settings,
  type Source,
  sourceQuery,
  updateSource,
} from './queries.ts'
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
  const commune = useQuery(communeQuery(source?.commune_id ?? null))
  const types = useQuery(publicationTypesQuery)
  const [isEditing, setEditing] = useState(false)
  const state = source && stateOf(source)
  const owner = acteur.data ? { id: acteur.data.id, nom: acteur.data.nom } : null
  const place = commune.data ? { id: commune.data.id, nom: commune.data.nom } : null
  const isOwnerKnown = source?.acteur_id === null || acteur.isSuccess
  const isPlaceKnown = source?.commune_id === null || commune.isSuccess
  return (
    <Page title={source?.nom ?? words('source')} back={<BackTo to="/imports" title={words('title')} />}>
      <QueryState query={found} lines={8} />
      {source && state && (
        <>
          <State source={source} state={state} />
          <Actions source={source} onEdit={() => setEditing(true)} />
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
                [words('commune'), place?.nom ?? (isPlaceKnown ? words('communeOfActeur') : '…')],
                [
                  words('publicationType'),
                  source.type_id === null
                    ? words('noActeur')
                    : (types.data?.find(({ id }) => id === source.type_id)?.libelle ?? '…'),
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
          <RecordHistory kind="import_source" id={id} />
          {isEditing && (
            <Dialog title={words('editTitle')} isOpen onClose={() => setEditing(false)}>
              {isOwnerKnown && isPlaceKnown ? (
                <EditForm
                  source={source}
                  owners={{ acteur: owner, commune: place }}
                  onClose={() => setEditing(false)}
                />
              ) : (
                <Skeleton lines={8} />
              )}
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
            <Button small icon="refresh" isPending={resuming.isPending} onPress={() => resuming.submit()}>
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
  owners,
  onClose,
}: {
  source: Source
  owners: { acteur: Choice | null; commune: Choice | null }
  onClose: () => void
}) {
  const words = useTranslations('imports')
  const ofDraft = useTranslations('draft')
  const client = useQueryClient()
  const draft = usePartDraft(`import.${source.id}`, typedOf(source, owners))
  const { mine: typed, base, put: change } = draft
  // The fields of acteur and commune have texts of their own.
  const [choices, setChoices] = useState(0)
  const { data: types = [] } = useQuery(publicationTypesQuery)
  const saving = useSubmit({
    mutationFn: () =>
      saveNewest(client, sourceQuery(source.id), (now) => {
        if (now.acteur_id !== source.acteur_id || now.commune_id !== source.commune_id) throw new Overtaken()
        draft.requireBase(typedOf(now, owners))
        return updateSource(now, changesOf(settingsOf(typed), settingsOf(base)))
      }),
    onSuccess: async (saved) => {
      client.setQueryData(sourceQuery(source.id).queryKey, (before) => before && { ...before, ...saved })
      showToast({ title: words('changed') })
      draft.clear()
      onClose()
      await client.invalidateQueries({ queryKey: ['runs'] })
    },
  })
  const submit = () => {
    if (!draft.isBehind) saving.submit()
  }
  return (
    <Form isSaving={saving.isPending} className={styles.form} onSubmit={submit}>
      {!saving.isPending && (
        <DraftConflict
          draft={draft}
          onChosen={() => setChoices(choices + 1)}
          linesOf={({ publishes, skipsDuplicates, mapping, ...texts }) => [
            [words('address'), texts.url],
            [words('name'), texts.nom],
            [words('typeLabel'), words(`type.${texts.type}`)],
            [words('acteur'), texts.acteur?.nom ?? words('noActeur')],
            [words('commune'), texts.commune?.nom ?? words('communeOfActeur')],
            [words('publicationType'), types.find(({ id }) => id === texts.typeId)?.libelle ?? '–'],
            [words('news'), words(publishes ? 'newsPublished' : 'newsPending')],
            [words('skips'), skipsDuplicates ? '✓' : '–'],
            [words('when'), texts.cron],
            ...(isMapped(texts.type) ? Object.entries(mapping) : []),
          ]}
        />
      )}
      <TextField
        label={words('address')}
        type="url"
        isRequired
        value={typed.url}
        onChange={(url) => change({ url })}
        error={messageFor(saving.error, 'url')}
      />
      <SourceFields key={choices} typed={typed} onChange={change} error={saving.error} found={[]} />
      {saving.isError && <ShownFailure error={saving.error} />}
      <Button look="primary" type="submit" wide isPending={saving.isPending}>
        {words('save')}
      </Button>
      {draft.isChanged && (
        <>
          <p className={styles.soft}>{ofDraft('unsaved')}</p>
          <Button
            look="quiet"
            onPress={() => {
              draft.clear()
              onClose()
            }}
          >
            {ofDraft('discard')}
          </Button>
        </>
      )}
    </Form>
  )
}

/** Only what differs is sent, so that a value from elsewhere, such as demo content, stays as it is. */
const changesOf = (after: Settings, before: Settings): Partial<Settings> =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Settings]),
    ),
  )
