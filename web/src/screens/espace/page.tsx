import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { messageFor } from '../../api/failure.ts'
import { DraftConflict } from '../../shell/editing/conflict.tsx'
import { usePartDraft } from '../../shell/editing/part-draft.ts'
import { saveNewest } from '../../shell/editing/save.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { PublicSiteLink } from '../../shell/records/public-site.tsx'
import { Form } from '../../ui/form.tsx'
import { Page } from '../../ui/page.tsx'
import { showToast } from '../../ui/toast.tsx'
import {
  type Contact,
  ContactFields,
  contactNames,
  contactOf,
  sentContact,
} from '../acteurs/contact-fields.tsx'
import { SaveBar } from '../communes/editor/save-bar.tsx'
import { useActeur } from './acteur.ts'
import { emptyWeek, formatHours, parseHours, type Week } from './hours.ts'
import { HoursField } from './hours-field.tsx'
import { NotAllowed } from './not-allowed.tsx'
import styles from './page.module.css'
import { type ActeurPage, acteurPageQuery, updatePage } from './page.queries.ts'
import { mayEditPage } from './rights.ts'

const route = getRouteApi('/signed-in/espace/$acteurId/page')

/** Screen of what the public reads about an acteur: description, contact and opening hours. */
export function ActeurPageScreen() {
  const words = useTranslations('espace.page')
  const { acteurId } = route.useParams()
  const acteur = useActeur()
  const page = useQuery({ ...acteurPageQuery(acteurId), enabled: mayEditPage(acteur) })
  if (!mayEditPage(acteur)) return <NotAllowed />
  return (
    <Page title={words('title')} actions={<PublicSiteLink kind="acteurs" slug={acteur.slug} />}>
      <QueryState query={page} lines={8} />
      {page.data && <PageForm page={page.data} />}
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

function PageForm({ page }: { page: ActeurPage }) {
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

/** Returns the changed fields in the format of the API. */
function changesOf(mine: Typed, base: Typed) {
  const all = (typed: Typed) => ({ ...sentContact(typed), horaires: hoursOf(typed) })
  const before: Record<string, unknown> = all(base)
  return Object.fromEntries(Object.entries(all(mine)).filter(([name, value]) => before[name] !== value))
}
