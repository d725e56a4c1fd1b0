import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { messageFor } from '../../api/failure.ts'
import { DraftConflict } from '../../shell/editing/conflict.tsx'
import { usePartDraft } from '../../shell/editing/part-draft.ts'
import { saveNewest } from '../../shell/editing/save.ts'
import { SaveBar } from '../../shell/editing/save-bar.tsx'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { DraftPictures } from '../../shell/media/draft-media.tsx'
import { NotSent } from '../../shell/media/uploads.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { PublicSiteLink } from '../../shell/records/public-site.tsx'
import { Form } from '../../ui/form.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useFirstWrong } from '../../ui/use-first-wrong.ts'
import {
  type Contact,
  ContactFields,
  contactNames,
  contactOf,
  sentContact,
  useFieldLabels,
} from '../acteurs/contact-fields.tsx'
import { type Hours, hoursFrom, sentHours } from '../acteurs/hours.ts'
import { HoursField, HoursInWords } from '../acteurs/hours-field.tsx'
import { LogoField, logoOf, sentLogo, useLogoLine } from '../acteurs/logo-field.tsx'
import { useActeur } from './acteur.ts'
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

type Typed = Contact & Hours & { logo: string }

const typedOf = (page: ActeurPage): Typed => ({
  ...contactOf(page),
  ...hoursFrom(page.horaires),
  logo: logoOf(page),
})

function PageForm({ page, nom }: { page: ActeurPage; nom: string }) {
  const words = useTranslations('espace.page')
  const names = useTranslations('acteurs')
  const labelOf = useFieldLabels()
  const logoLine = useLogoLine()
  const client = useQueryClient()
  const query = acteurPageQuery(page.id)
  const draft = usePartDraft(`acteur.page.${page.id}`, typedOf(page))
  const { mine, base, put } = draft
  const saving = useSubmit({
    mutationFn: async () => {
      const logo = await sentLogo(mine.logo)
      return saveNewest(client, query, (now) => {
        draft.requireBase(typedOf(now))
        return updatePage(now, changesOf(mine, base, logo))
      })
    },
    onSuccess: (saved) => {
      client.setQueryData(query.queryKey, saved)
      draft.clear()
      showToast({ title: words('saved') })
    },
  })
  const { error } = saving
  const wrong = (name: string) => messageFor(error, name)
  const form = useFirstWrong(error)
  const save = () => {
    if (draft.isChanged && !draft.isBehind) saving.submit()
  }
  return (
    <Form ref={form} isSaving={saving.isPending} className={styles.form} onSubmit={save}>
      {!saving.isPending && (
        <DraftConflict
          draft={draft}
          linesOf={(typed) => [
            ...contactNames.map((name) => [labelOf(name), typed[name]] as const),
            [names('hours.title'), sentHours(typed) ?? ''],
            logoLine(typed.logo),
          ]}
        />
      )}
      {page.can.includes('publications') && (
        <LogoField acteur={page} value={mine.logo} onChange={put} error={error} />
      )}
      <HoursField hours={mine} error={wrong('horaires')} onChange={put} />
      <ContactFields contact={mine} onChange={put} wrong={wrong} />
      <Preview nom={nom} typed={mine} />
      <SaveBar
        isChanged={draft.isChanged}
        isPending={saving.isPending}
        error={error instanceof NotSent ? null : error}
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
  const labelOf = useFieldLabels()
  const { description, ...contact } = sentContact(typed)
  const facts = Object.entries(contact).flatMap(([name, value]): (readonly [string, ReactNode])[] =>
    value === null ? [] : [[labelOf(name as keyof typeof contact), value]],
  )
  return (
    <Section title={words('alert.preview')}>
      <div className={styles.preview}>
        <DraftPictures tokens={typed.logo} />
        <p className={styles.title}>{nom}</p>
        {description && <p className={styles.description}>{description}</p>}
        <Facts
          facts={[
            ...facts,
            ...(sentHours(typed) === null
              ? []
              : [[names('hours.title'), <HoursInWords key="hours" hours={typed} />] as const]),
          ]}
        />
      </div>
    </Section>
  )
}

/** Returns the changed fields in the format of the API. */
function changesOf(mine: Typed, base: Typed, logo: string | null) {
  const all = (typed: Typed) => ({ ...sentContact(typed), horaires: sentHours(typed) })
  const before: Record<string, unknown> = { ...all(base), logo: base.logo || null }
  return Object.fromEntries(
    Object.entries({ ...all(mine), logo }).filter(([name, value]) => before[name] !== value),
  )
}
