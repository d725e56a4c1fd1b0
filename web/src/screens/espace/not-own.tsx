import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { type Me, meQuery } from '../../api/queries.ts'
import { ScreenLink } from '../../shell/records/links.tsx'
import { Skeleton } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { acteurPageQuery } from './page.queries.ts'

type Props = { acteurId: string; me: Me }

/**
 * In place of an acteur that is not among the user's own. The address of one that was merged, as in an older mail, leads to
 * its target. Otherwise says that the acteur is not theirs, once that is known for sure.
 */
export function NotOwn({ acteurId, me }: Props) {
  const words = useTranslations('espace.notOwn')
  const isFresh = useFreshActeurs()
  // The service answers the id of a merged acteur with its target.
  const page = useQuery(acteurPageQuery(acteurId))
  const target = me.acteurs.find(({ acteur_id }) => acteur_id === page.data?.id)
  if (target !== undefined && target.acteur_id !== acteurId)
    return <Navigate replace to="." params={{ acteurId: target.acteur_id } as never} search={true as never} />
  if (!isFresh || page.isPending) return <Skeleton lines={4} />
  return (
    <Page title={words('title')}>
      <p>{words('text')}</p>
      <div>
        <ScreenLink to="/espace">{words('action')}</ScreenLink>
      </div>
    </Page>
  )
}

/** Reads the user's acteurs again, which may be older than an invitation or a merge. Returns whether that is done. */
function useFreshActeurs(): boolean {
  const client = useQueryClient()
  const router = useRouter()
  const [isFresh, setIsFresh] = useState(false)
  useEffect(() => {
    void client
      .fetchQuery({ ...meQuery, staleTime: 0 })
      .then(() => router.invalidate())
      .catch(() => {})
      .then(() => setIsFresh(true))
  }, [client, router])
  return isFresh
}
