import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { isStatus } from '../../api/failure.ts'
import type { Me } from '../../api/queries.ts'
import { useDeletedToast } from '../../shell/deleted-toast.ts'
import { useDraft } from '../../shell/drafts.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { useMailPlace, withNote } from '../../shell/mail-place.tsx'
import { QueryState } from '../../shell/query-state.tsx'
import { ScreenLink } from '../../shell/records/links.tsx'
import { PublicSiteLink } from '../../shell/records/public-site.tsx'
import { ShownFailure, useFailureToast } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Row } from '../../ui/layout.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { RichText } from '../../ui/rich-text.tsx'
import { showToast } from '../../ui/toast.tsx'
import { ForeignPicture, Hidden } from '../publications/detail/about.tsx'
import { Documents } from '../publications/detail/documents.tsx'
import { useFacts } from '../publications/detail/facts.ts'
import { lacksDescription } from '../publications/detail/picture.ts'
import { Pictures } from '../publications/detail/pictures.tsx'
import { Status } from '../publications/detail/status.tsx'
import { Unfinished } from '../publications/detail/unfinished.tsx'
import { contentOf } from '../publications/writing/content.ts'
import { useDroppedCorrection } from '../publications/writing/draft.ts'
import { draftNameOf, emptyDraft } from '../publications/writing/new-draft.ts'
import { useActeur } from './acteur.ts'
import { Edit } from './edit-publication.tsx'
import {
  deletePublication,
  editPublication,
  isRecent,
  type Member,
  ownPublicationQuery,
  restorePublication,
  statementsQuery,
} from './queries.ts'
import { ReadingsOfPublication } from './readings.tsx'
import { mayPin, mayPublish, mayWrite } from './rights.ts'
import { Contest, StatementNotice } from './statement.tsx'

const route = getRouteApi('/signed-in/espace/$acteurId/publications/$id')

/** Publication for the members of its acteur: its state, why the public does not see it, and what they may do. */
export function OwnPublicationScreen() {
  const words = useTranslations('writing')
  const { acteurId, id } = route.useParams()
  const { me }: { me: Me } = route.useRouteContext()
  const acteur = useActeur()
  const [asking, setAsking] = useState<'edit' | 'delete' | 'copy' | null>(null)
  const close = () => setAsking(null)
  const { data: publication, ...query } = useQuery(ownPublicationQuery(id))
  const statementWords = useTranslations('espace.statement')
  const statements = useQuery(statementsQuery(acteurId, id))
  const statement = statements.data?.find(({ restriction }) => restriction !== 'unfeatured')
  // It hides nothing: what hides the publication is said beside it.
  const unfeatured = statements.data?.find((one) => one.restriction === 'unfeatured' && isRecent(one))
  const factsOf = useFacts()
  const { note } = useMailPlace()
  const isWriter = mayWrite(acteur)
  const copy = useCopy(acteurId)
  return (
    <Page
      title={publication?.titre ?? words('one')}
      back={
        <ScreenLink
          look="quiet"
          small
          icon="back"
          to="/espace/$acteurId/publications"
          params={{ acteurId }}
          activeOptions={{ exact: true }}
        >
          {words('own.title')}
        </ScreenLink>
      }
      actions={
        publication && (
          <>
            {isWriter && (
              <Button look="primary" icon="edit" onPress={() => setAsking('edit')}>
                {words('own.edit')}
              </Button>
            )}
            {mayPin(acteur) && <Pin publication={publication} />}
            {isWriter && (
              <>
                {mayPublish(acteur) && (
                  <Button
                    icon="copies"
                    onPress={() => (copy.wouldReplace ? setAsking('copy') : copy.start(publication))}
                  >
                    {words('own.copy')}
                  </Button>
                )}
                <Button look="quiet" onPress={() => setAsking('delete')}>
                  {words('own.delete')}
                </Button>
              </>
            )}
          </>
        )
      }
    >
      <QueryState query={query} lines={8} />
      {publication && (
        <>
          <Row isSoft as="p">
            <Status publication={publication} />
            {publication.epingle && <Badge tone="accent">{words('own.pinned')}</Badge>}
            <span>{publication.acteur?.nom}</span>
            <span>{publication.commune?.nom}</span>
            {factsOf(publication).map(
              ({ label, text, isLink }) => !isLink && <span key={label}>{text}</span>,
            )}
            {publication.hidden_because.length === 0 && (
              <PublicSiteLink kind="publications" slug={publication.slug} />
            )}
          </Row>
          {publication.hidden_because.length === 0 && <ReadingsOfPublication acteurId={acteurId} id={id} />}
          {isWriter && <Unfinished id={id} isOwn onResume={() => setAsking('edit')} />}
          {publication.moderation_status === 'pending' && (
            <p>
              {words('waits')} {me.email_verified && withNote(words('waitsMail'), note)}
            </p>
          )}
          {statement ? (
            <StatementNotice
              statement={statement}
              action={
                <>
                  {isWriter && (
                    <Button small onPress={() => setAsking('edit')}>
                      {statementWords('correct')}
                    </Button>
                  )}
                  <Contest statement={statement} />
                </>
              }
            />
          ) : (
            <Hidden publication={publication} />
          )}
          {unfeatured && (
            <StatementNotice statement={unfeatured} action={<Contest statement={unfeatured} />} />
          )}
          {statements.isError && <QueryState query={statements} lines={1} />}
          {publication.hidden_in.length > 0 && (
            <Notice
              title={words('own.hiddenIn', {
                communes: publication.hidden_in.map(({ nom }) => nom).join(', '),
              })}
            />
          )}
          <ForeignPicture publication={publication} />
          <Pictures images={publication.images} />
          {isWriter && publication.images.some(lacksDescription) && (
            <Notice tone="warn" title={words('own.undescribed')} />
          )}
          <RichText html={publication.body} />
          <Documents documents={publication.documents} />
        </>
      )}
      {publication && isWriter && asking === 'edit' && (
        <Edit publication={publication} canPublish={acteur.can_publish} onClose={close} />
      )}
      {publication && isWriter && asking === 'delete' && (
        <Delete acteurId={acteurId} publication={publication} onClose={close} />
      )}
      {publication && asking === 'copy' && (
        <Confirm
          title={words('own.copyTitle')}
          action={words('own.copyReplace')}
          isOpen
          onClose={close}
          onConfirm={() => copy.start(publication)}
        >
          <p>{words('own.copyText')}</p>
        </Confirm>
      )}
    </Page>
  )
}

/** Starts a new publication with the content of another. `wouldReplace`: the user has begun to write another one. */
function useCopy(acteurId: string) {
  const navigate = useNavigate()
  const [stored, store] = useDraft(draftNameOf(acteurId))
  return {
    wouldReplace: stored !== '',
    start: (publication: Member) => {
      const content = { ...contentOf(publication), source_url: '' }
      store(JSON.stringify({ ...emptyDraft(), content }))
      void navigate({ to: '/espace/$acteurId/publier', params: { acteurId } })
    },
  }
}

/** Pins a publication to the top of the page of its acteur, or unpins it. */
function Pin({ publication }: { publication: Member }) {
  const words = useTranslations('writing')
  const client = useQueryClient()
  const showFailure = useFailureToast()
  const { id, version, epingle, titre } = publication
  const query = ownPublicationQuery(id)
  const pinning = useSubmit({
    mutationFn: () => editPublication(id, version, { epingle: !epingle }),
    onSuccess: (changed) => {
      client.setQueryData(query.queryKey, changed)
      void client.invalidateQueries({ queryKey: ['publications', 'mine'] })
      showToast({ title: words(changed.epingle ? 'own.isPinned' : 'own.isUnpinned', { titre }) })
    },
    onError: (error) => {
      showFailure(words('own.notPinned'), error)
      void client.refetchQueries(query)
    },
  })
  return (
    <Button icon="pin" isPending={pinning.isPending} onPress={() => pinning.submit()}>
      {words(epingle ? 'own.unpin' : 'own.pin')}
    </Button>
  )
}

type DeleteProps = { acteurId: string; publication: Member; onClose: () => void }

function Delete({ acteurId, publication, onClose }: DeleteProps) {
  const words = useTranslations('writing')
  const client = useQueryClient()
  const navigate = useNavigate()
  const sayDeleted = useDeletedToast()
  const dropDraft = useDroppedCorrection(publication.id)
  const { id, titre } = publication
  const deleting = useSubmit({
    mutationFn: () => deletePublication(publication),
    onSuccess: async () => {
      dropDraft()
      void client.invalidateQueries({ queryKey: ['publications', 'mine'] })
      const reload = () => client.invalidateQueries({ queryKey: ['publications', 'mine'] })
      sayDeleted(words('own.deleted', { titre }), () => restorePublication({ id }).finally(reload), id)
      await navigate({ to: '/espace/$acteurId/publications', params: { acteurId } })
      client.removeQueries(ownPublicationQuery(id))
    },
    onError: (failure) =>
      isStatus(failure, 412) ? client.refetchQueries(ownPublicationQuery(id)) : undefined,
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
