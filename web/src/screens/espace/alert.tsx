import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { messageFor, wasSentBefore } from '../../api/failure.ts'
import { usePartDraft } from '../../shell/editing/part-draft.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { useMailPlace } from '../../shell/mail-place.tsx'
import { useShortcuts } from '../../shell/navigation/shortcuts.tsx'
import { ShownFailure, useFailureToast } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Segmented } from '../../ui/choice.tsx'
import { cx } from '../../ui/cx.ts'
import { DateField } from '../../ui/date-field.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Soft } from '../../ui/layout.tsx'
import { asFrenchWrites, dayInParis } from '../../ui/moment.ts'
import { momentOf } from '../../ui/moment-field.ts'
import { Page } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useFirstWrong } from '../../ui/use-first-wrong.ts'
import { type Niveau, niveaux } from '../alertes/search.ts'
import type { Managed } from '../alertes/store.ts'
import { useActeur } from './acteur.ts'
import styles from './alert.module.css'
import { splitText } from './alerte-text.ts'
import {
  createAlerte,
  maxCounted,
  ownAlertes,
  ownersOf,
  reachInQuery,
  reachQuery,
} from './alertes.queries.ts'
import { NotAllowed } from './not-allowed.tsx'
import { type Places, PlacesOfDraft } from './places-field.tsx'
import { isInactiveBody, mayAlert, type OwnActeur } from './rights.ts'

const route = getRouteApi('/signed-in/espace/$acteurId/alerter')

const untils = ['tonight', 'tomorrow', 'week', 'open', 'choose'] as const
const daysUntil = { tonight: 0, tomorrow: 1, week: 7 } as const

type Typed = {
  text: string
  until: (typeof untils)[number]
  /** Value of the field for the end, with `choose`. */
  at: string
  /** End that was sent: a retry after midnight sends the same one. */
  sent: string
  niveau: Niveau
  /** Id of the commune or mairie; empty: the preferred one. */
  owner: string
  /** Of a group: the communes it is for. */
  places: Places
}
const untouched: Typed = {
  ...{ text: '', until: 'tonight', at: '', sent: '', niveau: 'attention', owner: '' },
  places: null,
}

/** Screen to alert residents: what, until when and how urgent, with a preview. Sent once, however often it is tried. */
export function AlertScreen() {
  const acteur = useActeur()
  return mayAlert(acteur) ? <Alert /> : <NotAllowed isInactive={isInactiveBody(acteur)} />
}

function Alert() {
  const words = useTranslations('espace.alert')
  const levels = useTranslations('alertes.niveaux')
  const { acteurId } = route.useParams()
  const acteur = useActeur()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { note } = useMailPlace()
  const draft = usePartDraft<Typed>(`alerte.new.${acteurId}`, untouched)
  const { mine, put } = draft
  const owners = ownersOf(acteur)
  const owner = owners.find(({ id }) => id === mine.owner) ?? owners[0]
  const isOfGroup = owner?.kind === 'acteur' && acteur.groups.length > 0
  const places = isOfGroup ? (mine.places ?? null) : null
  const [isWithout, setWithout] = useState(false)
  const content = splitText(mine.text)
  const end = mine.sent === '' ? endOf(mine) : mine.sent
  const showFailure = useFailureToast()
  const takingBack = useSubmit({
    mutationFn: ({ alerte }: { alerte: Managed; typed: Typed }) => ownAlertes.remove(alerte),
    onSuccess: async (_, { alerte: { titre }, typed }) => {
      void client.invalidateQueries({ queryKey: ['alertes'] })
      draft.again({ ...typed, sent: '' })
      showToast({ title: words('takenBack', { titre }) })
      await navigate({ to: '/espace/$acteurId/alerter', params: { acteurId } })
    },
    onError: (error) => showFailure(words('notTakenBack'), error),
  })
  const sending = useSubmit({
    mutationFn: async (): Promise<Managed> => {
      if (owner === undefined) throw new Error('A mairie has an owner of its alertes')
      put({ sent: end ?? '' })
      return createAlerte(draft.key, owner, {
        ...{ ...content, niveau: mine.niveau, fin: end },
        ...(places !== null && { commune_ids: places.map(({ id }) => id) }),
      })
    },
    onError: (error) => {
      if (wasSentBefore(error)) draft.renewKey()
    },
    onSuccess: async (alerte) => {
      draft.clear()
      void client.invalidateQueries({ queryKey: ['alertes'] })
      showToast({
        title: words('sent', { titre: alerte.titre }),
        ...(note && { detail: note }),
        // The messages of an urgent one are leaving.
        ...(alerte.niveau !== 'urgence' && {
          action: { label: words('takeBack'), run: () => takingBack.submit({ alerte, typed: mine }) },
        }),
      })
      await navigate({ to: '/espace/$acteurId/alertes', params: { acteurId } })
    },
  })
  const { error } = sending
  const send = () => {
    // None would mean all.
    const isEmpty = places?.length === 0
    setWithout(isEmpty)
    if (!isEmpty) sending.submit()
  }
  const wrong = (...names: string[]) => messageFor(error, (name) => names.includes(name))
  const form = useFirstWrong(error)
  useShortcuts(words('title'), [{ key: 'Enter', withControl: true, label: words('send'), run: send }])
  return (
    <Page title={words('title')}>
      <Form ref={form} className={styles.form} isSaving={sending.isPending} onSubmit={send}>
        <TextField
          label={words('what')}
          help={words('whatHelp')}
          placeholder={words('example')}
          isRequired
          autoFocus
          rows={3}
          maxLength={2_000}
          value={mine.text}
          onChange={(text) => put({ text })}
          error={wrong('titre', 'message')}
        />
        <EndField typed={mine} onChange={(end) => put({ ...end, sent: '' })} error={wrong('fin')} />
        <Segmented
          large
          label={words('niveau')}
          value={mine.niveau}
          onChange={(niveau) => put({ niveau })}
          options={niveaux.map((value) => ({ value, label: levels(value) }))}
        />
        {owners.length > 2 && (
          <Select
            label={words('where')}
            value={owner?.id ?? ''}
            onChange={(id) => put({ owner: id })}
            options={owners.map(({ kind, id, nom }) => ({
              value: id,
              label: kind === 'acteur' ? words('everywhere') : nom,
            }))}
          />
        )}
        {isOfGroup && (
          <PlacesOfDraft
            acteur={acteur}
            places={places}
            onChange={(changed) => {
              put({ places: changed })
              setWithout(false)
            }}
            error={isWithout ? words('places.none') : wrong('commune_ids')}
          />
        )}
        <Preview {...content} niveau={mine.niveau} end={end} />
        <Leaving acteur={acteur} places={places} niveau={mine.niveau} />
        {error !== null && wrong('titre', 'message', 'fin', 'commune_ids') === null && (
          <ShownFailure error={error} onRetry={send} />
        )}
        {draft.isChanged && (
          <Button
            look="quiet"
            onPress={() => {
              draft.clear()
              sending.reset()
            }}
          >
            {words('drop')}
          </Button>
        )}
        <div className={styles.send}>
          <Button look="primary" type="submit" icon="bell" wide isPending={sending.isPending}>
            {words('send')}
          </Button>
        </div>
      </Form>
    </Page>
  )
}

type LeavingProps = { acteur: OwnActeur; places: Places; niveau: Niveau }

/** Says whom the messages are for, and when they leave. */
function Leaving({ acteur, places, niveau }: LeavingProps) {
  const words = useTranslations('espace.alert')
  const count = useSubscribers(acteur, places)
  return (
    <>
      {count !== undefined && <Soft>{words('subscribers', { count })}</Soft>}
      <Soft>{words(niveau === 'urgence' ? 'leavesAtOnce' : 'leavesLater')}</Soft>
    </>
  )
}

/** How many residents subscribe to these communes, or to all of the acteur; undefined while it is not known. */
function useSubscribers(acteur: OwnActeur, places: Places): number | undefined {
  const ids = (places ?? []).map(({ id }) => id)
  const isCounted = ids.length > 0 && ids.length <= maxCounted
  const all = useQuery(reachQuery(acteur))
  const some = useQuery({ ...reachInQuery(acteur, ids), enabled: isCounted })
  if (places === null) return all.data?.subscribers
  return isCounted ? some.data?.subscribers : undefined
}

type EndFieldProps = {
  typed: Typed
  onChange: (end: Partial<Pick<Typed, 'until' | 'at'>>) => void
  error: string | null
}

function EndField({ typed, onChange, error }: EndFieldProps) {
  const words = useTranslations('espace.alert')
  return (
    <div className={styles.field}>
      <Segmented
        large
        label={words('until')}
        value={typed.until}
        onChange={(until) => onChange({ until })}
        options={untils.map((value) => ({ value, label: words(`untils.${value}`) }))}
      />
      {typed.until === 'choose' && (
        <DateField
          withTime
          label={words('at')}
          isRequired
          value={typed.at}
          onChange={(at) => onChange({ at })}
          error={error}
        />
      )}
      {typed.until !== 'choose' && error && <p className={styles.wrong}>{error}</p>}
    </div>
  )
}

/** Returns the end of an alerte in the format of the API; null: until further notice. */
function endOf({ until, at }: Pick<Typed, 'until' | 'at'>): string | null {
  if (until === 'open') return null
  if (until === 'choose') return momentOf(at)?.toISOString() ?? at
  const day = new Date()
  day.setDate(day.getDate() + daysUntil[until])
  return momentOf(`${dayInParis(day)}T23:59`)?.toISOString() ?? null
}

type PreviewProps = { titre: string; message: string; niveau: Niveau; end: string | null }

/** Preview of the alerte as residents read it on the public site. */
function Preview({ titre, message, niveau, end }: PreviewProps) {
  const words = useTranslations('espace.alert')
  const levels = useTranslations('alertes.niveaux')
  const format = useFormatter()
  const at = end === null ? null : new Date(end)
  const until =
    at === null
      ? words('endless')
      : Number.isNaN(at.getTime())
        ? ''
        : words('endsAt', {
            at: asFrenchWrites(format.dateTime(at, { dateStyle: 'full', timeStyle: 'short' })),
          })
  return (
    <section className={styles.preview} aria-label={words('preview')}>
      <h2 className={styles.label}>{words('preview')}</h2>
      <div className={cx(styles.alerte, styles[niveau])}>
        <p className={styles.level}>{levels(niveau)}</p>
        <p className={styles.title}>{titre || words('nothing')}</p>
        {message !== titre && <p className={styles.message}>{message}</p>}
        <Soft>{until}</Soft>
      </div>
    </section>
  )
}
