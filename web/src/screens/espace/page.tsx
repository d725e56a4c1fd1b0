import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { messageFor } from '../../api/failure.ts'
import { DraftConflict } from '../../shell/editing/conflict.tsx'
import { usePartDraft } from '../../shell/editing/part-draft.ts'
import { saveNewest } from '../../shell/editing/save.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { PublicSiteLink } from '../../shell/records/public-site.tsx'
import { Form } from '../../ui/form.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { showToast } from '../../ui/toast.tsx'
import {
  type Contact,
  ContactFields,
  contactNames,
  contactOf,
  sentContact,
} from '../acteurs/contact-fields.tsx'
import { days } from '../communes/collectes/schedule.ts'
import { SaveBar } from '../communes/editor/save-bar.tsx'
import { useActeur } from './acteur.ts'
import { emptyWeek, formatHours, parseHours, runsOf, type Week } from './hours.ts'
import { HoursField } from './hours-field.tsx'
import { NotAllowed } from './not-allowed.tsx'
import styles from './page.module.css'
import { type ActeurPage, acteurPageQuery, updatePage } from './page.queries.ts'
import { isShown, mayEditPage } from './rights.ts'

const route = getRouteApi('/signed-in/espace/$acteurId/page')

/** Screen of what the public reads about an acteur: description, contact and opening hours. */
export function ActeurPageScreen() {
  const words = useTranslations('espace.page')
  const { acteurId } = route.useParams()
  const acteur = useActeur()
  const page = useQuery({ ...acteurPageQuery(acteurId), enabled: mayEditPage(acteur) })
  if (!mayEditPage(acteur)) return <NotAllowed />
  return (
    <Page
      title={words('title')}
      actions={isShown(acteur) && <PublicSiteLink kind="acteurs" slug={acteur.slug} />}
    >
      <QueryState query={page} lines={8} />
      {page.data && <PageForm page={page.data} nom={acteur.nom} />}
    </Page>
  )
}

type Typed = Contact & {
  /** Null: hours that only the text can say. */
  week: Week | null
  text: string
}

const typedOf = (page: ActeurPage): Typed => ({
  ...contactOf(page),
  week: page.horaires === null ? emptyWeek : parseHours(page.horaires),
  text: page.horaires ?? '',
})

const hoursOf = ({ week, text }: Typed) => (week === null ? text.trim() || null : formatHours(week))

function PageForm({ page, nom }: { page: ActeurPage; nom: string }) {
  const words = useTranslations('espace.page')
  const names = useTranslations('acteurs')
  const client = useQueryClient()
  const query = acteurPageQuery(page.id)
  const draft = usePartDraft(`acteur.page.${page.id}`, typedOf(page))
  const { mine, base, put } = draft
  const saving = useSubmit({
    mutationFn: () =>
      saveNewest(client, query, (now) => {
        draft.requireBase(typedOf(now))
        return updatePage(now, changesOf(mine, base))
      }),
    onSuccess: (saved) => {
      client.setQueryData(query.queryKey, saved)
      draft.clear()
      showToast({ title: words('saved') })
    },
  })
  const { error } = saving
  const wrong = (name: string) => messageFor(error, name)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [error])
  const save = () => {
    if (draft.isChanged && !draft.isBehind) saving.submit()
  }
  return (
    <Form ref={form} isSaving={saving.isPending} className={styles.form} onSubmit={save}>
      {!saving.isPending && (
        <DraftConflict
          draft={draft}
          linesOf={(typed) => [
            ...contactNames.map((name) => [names(name), typed[name]] as const),
            [words('hours'), hoursOf(typed) ?? ''],
          ]}
        />
      )}
      <HoursField
        week={mine.week}
        text={mine.text}
        error={wrong('horaires')}
        onWeek={(week) => put({ week })}
        onText={(text) => put({ text })}
      />
      <ContactFields contact={mine} onChange={put} wrong={wrong} />
      <Preview nom={nom} typed={mine} />
      <SaveBar
        isChanged={draft.isChanged}
        isPending={saving.isPending}
        error={error}
        onDiscard={() => {
          draft.clear()
          saving.reset()
        }}
      />
    </Form>
  )
}

/** Preview of the page as the public site shows it. */
function Preview({ nom, typed }: { nom: string; typed: Typed }) {
  const words = useTranslations('espace')
  const names = useTranslations('acteurs')
  const hours = useHoursInWords(typed)
  const { description, ...contact } = sentContact(typed)
  const facts = Object.entries(contact).flatMap(([name, value]): (readonly [string, ReactNode])[] =>
    value === null ? [] : [[names(name as keyof typeof contact), value]],
  )
  return (
    <Section title={words('alert.preview')}>
      <div className={styles.preview}>
        <p className={styles.title}>{nom}</p>
        {description && <p className={styles.description}>{description}</p>}
        <Facts
          facts={[
            ...facts,
            ...(hours.length === 0
              ? []
              : [[words('page.hours'), hours.map((line) => <div key={line}>{line}</div>)] as const]),
          ]}
        />
      </div>
    </Section>
  )
}

/** Returns a line for neighbouring days with the same hours. */
function useHoursInWords({ week, text }: Typed): string[] {
  const words = useTranslations('espace.page')
  const dayWords = useTranslations('communes.collectes.days')
  if (week === null) return text.trim() === '' ? [] : [text]
  const nameOf = (index: number) => dayWords(days[index] ?? days[0])
  const lines = runsOf(week.days).map(({ first, last, spans }) => {
    const which = first === last ? nameOf(first) : words('days', { first: nameOf(first), last: nameOf(last) })
    return `${which} : ${spans.map(({ from, to }) => `${from} – ${to}`).join(', ')}`
  })
  return lines.length > 0 && week.closedOnHolidays ? [...lines, words('holidays')] : lines
}

/** Returns the changed fields in the format of the API. */
function changesOf(mine: Typed, base: Typed) {
  const all = (typed: Typed) => ({ ...sentContact(typed), horaires: hoursOf(typed) })
  const before: Record<string, unknown> = all(base)
  return Object.fromEntries(Object.entries(all(mine)).filter(([name, value]) => before[name] !== value))
}
