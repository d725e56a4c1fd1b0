import { useTranslations } from 'use-intl'
import type { Me } from '../../api/queries.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { Permissions } from '../../shell/records/permissions.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Row } from '../../ui/layout.tsx'
import { Section } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useOpenAfresh } from './open-afresh.ts'
import { acceptInvitation, declineInvitation } from './team.queries.ts'

type Props = { invitation: Me['invitations'][number] }

/** An invitation to a team, which the user accepts or declines. */
export function Invitation({ invitation: { id, acteur, invited_until, ...rights } }: Props) {
  const words = useTranslations('espace.invitation')
  const openAfresh = useOpenAfresh()
  const { nom } = acteur
  const accepting = useSubmit({
    mutationFn: () => acceptInvitation(id),
    onSuccess: async () => {
      showToast({ title: words('accepted', { nom }) })
      await openAfresh({ to: '/espace/$acteurId', params: { acteurId: acteur.id } })
    },
  })
  const declining = useSubmit({
    mutationFn: () => declineInvitation(id),
    onSuccess: async () => {
      showToast({ title: words('declined', { nom }) })
      await openAfresh({ to: '/espace' })
    },
  })
  const { error } = accepting.isError ? accepting : declining
  return (
    <Section
      title={words('title', { nom })}
      note={
        <>
          {words('expires')} <Ago at={invited_until} />
        </>
      }
    >
      <p>{words('rights')}</p>
      <Permissions membership={rights} />
      <Row>
        <Button
          look="primary"
          icon="check"
          aria-label={words('acceptNamed', { nom })}
          isPending={accepting.isPending}
          onPress={() => accepting.submit()}
        >
          {words('accept')}
        </Button>
        <Button
          look="quiet"
          aria-label={words('declineNamed', { nom })}
          isPending={declining.isPending}
          onPress={() => declining.submit()}
        >
          {words('decline')}
        </Button>
      </Row>
      {error && <ShownFailure error={error} />}
    </Section>
  )
}
