import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { usePartDraft } from '../../shell/editing/part-draft.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Notice } from '../../ui/notice.tsx'
import { communeOfMairieQuery } from './commune.queries.ts'
import { type ActeurPage, acteurPageQuery } from './page.queries.ts'
import { askForCommune } from './queries.ts'
import { isMairie, mayEditCommune, mayEditPage, mayManageTeam, mayPublish, type OwnActeur } from './rights.ts'

type Step = { name: StepName; isDone: boolean; link: (words: string) => ReactNode }
type StepName =
  | ('contact' | 'hours' | 'description' | 'logo' | 'collectes' | 'elus')
  | ('pictures' | 'publication' | 'colleague')

type SetupProps = { acteur: OwnActeur; me: Person; steps: readonly Step[] }

/** What a good page still lacks, with the deed behind each. */
export function Setup({ acteur, me, steps }: SetupProps) {
  const words = useTranslations('espace.setup')
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <>
      {isUnlinked(acteur) && <Unlinked acteur={acteur} me={me} />}
      {done < steps.length && (
        <>
          <p>{words('progress', { done, all: steps.length })}</p>
          <Lines label={words('title')}>
            {steps.map(({ name, isDone, link }) => (
              <OneLine
                key={name}
                icon={isDone ? 'check' : 'plus'}
                title={isDone ? words(`done.${name}`) : link(words(`to.${name}`))}
                note={isDone ? undefined : words(`why.${name}`)}
              />
            ))}
          </Lines>
        </>
      )}
    </>
  )
}

export const isUnlinked = (acteur: OwnActeur) => acteur.type === 'mairie' && !isMairie(acteur)

/** The steps that the user may take, in the order in which residents miss them. */
export function useSteps(acteur: OwnActeur): Step[] {
  const { acteur_id: acteurId } = acteur
  const params = { acteurId }
  const page = useQuery({ ...acteurPageQuery(acteurId), enabled: mayEditPage(acteur) })
  const [first] = acteur.mairie_of
  const commune = useQuery({
    ...communeOfMairieQuery(first?.id ?? ''),
    enabled: first !== undefined && mayEditCommune(acteur),
  })
  // All at once: the list does not grow under the finger.
  if (page.isLoading || commune.isLoading) return []
  const toPage = (title: string) => (
    <Link to="/espace/$acteurId/page" params={params}>
      {title}
    </Link>
  )
  const toCommune = (tab: 'infos' | 'collectes' | 'elus') => (title: string) => (
    <Link to="/espace/$acteurId/commune" params={params} search={{ tab }}>
      {title}
    </Link>
  )
  const steps: Step[] = []
  if (page.data) {
    const { telephone, email, adresse, horaires, description, logo } = page.data
    const isReachable = [telephone, email, adresse].every((value) => value !== null && value !== '')
    steps.push(
      { name: 'contact', isDone: isReachable, link: toPage },
      { name: 'hours', isDone: Boolean(horaires), link: toPage },
      { name: 'description', isDone: Boolean(description), link: toPage },
    )
    // A town is known by its coat of arms.
    if (mayPublish(acteur) && !isMairie(acteur))
      steps.push({ name: 'logo', isDone: logo !== null, link: toPage })
  }
  if (commune.data) {
    const { gaps, blason, photo } = commune.data
    for (const name of ['collectes', 'elus'] as const)
      steps.push({ name, isDone: !gaps.includes(name), link: toCommune(name) })
    if (mayPublish(acteur))
      steps.push({ name: 'pictures', isDone: blason !== null && photo !== null, link: toCommune('infos') })
  }
  if (page.data && mayPublish(acteur))
    steps.push({
      name: 'publication',
      isDone: hasPublished(page.data),
      link: (title) => (
        <Link to="/espace/$acteurId/publier" params={params}>
          {title}
        </Link>
      ),
    })
  if (page.data?.members && mayManageTeam(acteur))
    steps.push({
      name: 'colleague',
      isDone: page.data.members.length > 1,
      link: (title) => (
        <Link to="/espace/$acteurId/equipe" params={params}>
          {title}
        </Link>
      ),
    })
  return steps
}

const hasPublished = ({ counts }: ActeurPage) => counts.published + counts.pending + counts.scheduled > 0

/** Leaves room for the subject, which the API bounds. */
const maxName = 150

type Person = { nom: string | null; email: string | null }

/** Says why a mairie without a commune cannot alert, and asks the team for the link. */
function Unlinked({ acteur, me: { nom, email } }: { acteur: OwnActeur; me: Person }) {
  const words = useTranslations('espace.setup.unlinked')
  const draft = usePartDraft(`acteur.unlinked.${acteur.acteur_id}`, { isAsked: false })
  const { submit, isPending, error } = useSubmit({
    mutationFn: () =>
      askForCommune(draft.key, {
        nom: nom ?? acteur.nom,
        email: email ?? '',
        subject: words('subject', { nom: acteur.nom.slice(0, maxName) }),
        body: words('body', { nom: acteur.nom }),
      }),
    onSuccess: () => draft.put({ isAsked: true }),
  })
  return (
    <Notice tone="warn" title={words('title')}>
      <p>{words('text')}</p>
      {error !== null && <ShownFailure error={error} />}
      {draft.mine.isAsked ? (
        <p role="status">{words('asked')}</p>
      ) : (
        email !== null && (
          <Button icon="mail" isPending={isPending} onPress={() => submit()}>
            {words('ask')}
          </Button>
        )
      )}
    </Notice>
  )
}
