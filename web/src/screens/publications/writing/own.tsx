import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { isStatus } from '../../../api/failure.ts'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { hasOwn, writableActeurs } from '../../../shell/navigation/screens.ts'
import { QueryState } from '../../../shell/query-state.tsx'
import { BackTo } from '../../../shell/records/back-to.tsx'
import { PublicSiteLink } from '../../../shell/records/public-site.tsx'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { Row } from '../../../ui/layout.tsx'
import { Page } from '../../../ui/page.tsx'
import { RichText } from '../../../ui/rich-text.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { Hidden, Picture } from '../detail/about.tsx'
import { useDates } from '../detail/dates.ts'
import { Status } from '../detail/status.tsx'
import { Unfinished } from '../detail/unfinished.tsx'
import { useDroppedCorrection } from './draft.ts'
import { Edit } from './edit.tsx'
import { deleteOwn, type Member, ownQuery } from './queries.ts'

const route = getRouteApi('/signed-in/publications/$id')

/** Publication for the members of its acteur: its state, why the public does not see it, and what they may do. */
export function OwnPublicationScreen() {
  const words = useTranslations('writing')
  const { id } = route.useParams()
  const { me } = route.useRouteContext()
  const [asking, setAsking] = useState<'edit' | 'delete' | null>(null)
  const close = () => setAsking(null)
  const { data: publication, ...query } = useQuery(ownQuery(id))
  const dates = useDates()
  const acteur = writableActeurs(me).find(({ acteur_id }) => acteur_id === publication?.acteur_id)
  return (
    <Page
      title={publication?.titre ?? words('one')}
      back={hasOwn(me) && <BackTo to="/publications/mine" title={words('own.title')} />}
      actions={
        acteur && (
          <>
            <Button icon="edit" onPress={() => setAsking('edit')}>
              {words('own.edit')}
            </Button>
            <Button onPress={() => setAsking('delete')}>{words('own.delete')}</Button>
          </>
        )
      }
    >
      <QueryState query={query} lines={8} />
      {publication && (
        <>
          <Row isSoft as="p">
            <Status publication={publication} />
            <span>{publication.acteur?.nom}</span>
            <span>{publication.commune?.nom}</span>
            <span>{dates(publication)}</span>
            {publication.hidden_because.length === 0 && (
              <PublicSiteLink kind="publications" slug={publication.slug} />
            )}
          </Row>
          {acteur && <Unfinished id={id} isOwn onResume={() => setAsking('edit')} />}
          {publication.moderation_status === 'pending' && (
            <p>
              {words('waits')} {me.email_verified && words('waitsMail')}
            </p>
          )}
          <Hidden publication={publication} />
          {publication.image_url && <Picture url={publication.image_url} />}
          <RichText html={publication.body} />
          {hasOwn(me) && (
            <p>
              <Link to="/publications/new">{words('another')}</Link>
            </p>
          )}
        </>
      )}
      {publication && acteur && asking === 'edit' && (
        <Edit publication={publication} canPublish={acteur.can_publish} onClose={close} />
      )}
      {publication && acteur && asking === 'delete' && <Delete publication={publication} onClose={close} />}
    </Page>
  )
}

function Delete({ publication, onClose }: { publication: Member; onClose: () => void }) {
  const words = useTranslations('writing')
  const client = useQueryClient()
  const navigate = useNavigate()
  const dropDraft = useDroppedCorrection(publication.id)
  const { id, titre } = publication
  const deleting = useSubmit({
    mutationFn: () => deleteOwn(publication),
    onSuccess: async () => {
      dropDraft()
      void client.invalidateQueries({ queryKey: ['publications', 'mine'] })
      showToast({ title: words('own.deleted', { titre }) })
      await navigate({ to: '/publications/mine' })
      client.removeQueries(ownQuery(id))
    },
    onError: (failure) => (isStatus(failure, 412) ? client.refetchQueries(ownQuery(id)) : undefined),
  })
  return (
    <Confirm
      title={words('own.deleteTitle', { titre })}
      action={words('own.delete')}
      isOpen
      isPending={deleting.isPending}
      onClose={onClose}
      onConfirm={() => deleting.submit()}
    >
      <p>{words('own.deleteText')}</p>
      {deleting.isError && <ShownFailure error={deleting.error} />}
    </Confirm>
  )
}
