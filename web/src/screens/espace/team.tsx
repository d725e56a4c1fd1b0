import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { messageFor, wasSentBefore } from '../../api/failure.ts'
import { usePartDraft } from '../../shell/editing/part-draft.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { useFreshMailNote } from '../../shell/fresh-mail-note.ts'
import { InvitedAddress } from '../../shell/invited-address.tsx'
import { MailNote } from '../../shell/mail-place.tsx'
import { QueryState } from '../../shell/query-state.tsx'
import { ScreenLink } from '../../shell/records/links.tsx'
import { usePermissionText } from '../../shell/records/permissions.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Page } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import { MemberForm, permissionsFor } from '../acteurs/member-form.tsx'
import { useActeur } from './acteur.ts'
import { LeaveTeam } from './leave-team.tsx'
import { NotAllowed } from './not-allowed.tsx'
import { mayManageTeam } from './rights.ts'
import { addMember, removeMember, type TeamMember, teamQuery, updateMember } from './team.queries.ts'

const route = getRouteApi('/signed-in/espace/$acteurId/equipe')

type Asked = { what: 'edit' | 'remove'; member: TeamMember } | { what: 'invite' }

/** Screen of who may act for the acteur, for its owners: they invite, change and remove. */
export function TeamScreen() {
  const acteur = useActeur()
  return mayManageTeam(acteur) ? <Team /> : <NotAllowed />
}

function Team() {
  const words = useTranslations('espace.team')
  const common = useTranslations('acteurs.members')
  const permissionsOf = usePermissionText()
  const { acteurId } = route.useParams()
  const acteur = useActeur()
  const team = useQuery(teamQuery(acteurId))
  const client = useQueryClient()
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = () => {
    setAsked(null)
    changing.reset()
  }
  const changing = useSubmit({
    mutationFn: ({ member, ...rights }: Pick<TeamMember, 'role' | 'permissions'> & { member: TeamMember }) =>
      updateMember(acteurId, member, rights),
    onSuccess: () => {
      setAsked(null)
      showToast({ title: common('saved') })
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['acteurs'] }),
  })
  const nameOf = ({ nom, email }: TeamMember) => nom ?? email ?? common('unnamed')
  const offered = permissionsFor(acteur.type)
  return (
    <Page
      title={words('title')}
      actions={
        <>
          <ScreenLink icon="link" to="/espace/$acteurId/webhooks" params={{ acteurId }}>
            {words('webhooks')}
          </ScreenLink>
          <Button look="primary" icon="user" onPress={() => setAsked({ what: 'invite' })}>
            {words('invite')}
          </Button>
        </>
      }
    >
      <QueryState query={team} lines={4} />
      {team.data?.some(({ status }) => status === 'invited') && <MailNote />}
      {team.data && (
        <Lines label={words('title')}>
          {team.data.map((member) => (
            <OneLine
              key={member.user_id}
              icon="user"
              title={member.is_self ? words('self', { nom: nameOf(member) }) : nameOf(member)}
              badge={
                member.status === 'invited' ? (
                  <Badge tone="warn">{words('invited')}</Badge>
                ) : (
                  <Badge tone={member.role === 'owner' ? 'accent' : 'plain'}>
                    {common(`role.${member.role}`)}
                  </Badge>
                )
              }
              note={
                <>
                  {permissionsOf(member)}
                  {member.invited_until && (
                    <>
                      {' · '}
                      {words('expires')} <Ago at={member.invited_until} />
                    </>
                  )}
                </>
              }
              actions={
                <>
                  <Button
                    small
                    aria-label={common('editNamed', { nom: nameOf(member) })}
                    onPress={() => setAsked({ what: 'edit', member })}
                  >
                    {common('edit')}
                  </Button>
                  {member.is_self ? (
                    <LeaveTeam acteurId={acteurId} userId={member.user_id} />
                  ) : (
                    <Button
                      small
                      look="quiet"
                      aria-label={common('removeNamed', { nom: nameOf(member) })}
                      onPress={() => setAsked({ what: 'remove', member })}
                    >
                      {common('remove')}
                    </Button>
                  )}
                </>
              }
            />
          ))}
        </Lines>
      )}
      {asked?.what === 'invite' && <Invite offered={offered} onClose={close} />}
      {asked?.what === 'edit' && (
        <MemberForm
          title={common('editTitle')}
          membership={asked.member}
          offered={offered}
          isReady
          error={changing.error}
          isPending={changing.isPending}
          onClose={close}
          onSave={(rights) => changing.submit({ member: asked.member, ...rights })}
        />
      )}
      {asked?.what === 'remove' && (
        <Remove member={asked.member} nom={nameOf(asked.member)} onClose={close} />
      )}
    </Page>
  )
}

type InviteProps = { offered: readonly TeamMember['permissions'][number][]; onClose: () => void }

/** Form of an invitation. The address stays on the device until it is sent. */
function Invite({ offered, onClose }: InviteProps) {
  const words = useTranslations('espace.team')
  const { acteurId } = route.useParams()
  const client = useQueryClient()
  const draft = usePartDraft(`acteur.invite.${acteurId}`, { email: '' })
  const { email } = draft.mine
  const freshNote = useFreshMailNote()
  const inviting = useSubmit({
    mutationFn: (rights: Pick<TeamMember, 'role' | 'permissions'>) =>
      addMember(acteurId, draft.key, { email: email.trim(), ...rights }),
    onError: (error) => {
      if (wasSentBefore(error)) draft.renewKey()
    },
    onSuccess: async () => {
      draft.clear()
      const note = await freshNote()
      showToast({ title: words('isInvited', { email }), ...(note && { detail: note }) })
      void client.invalidateQueries({ queryKey: ['acteurs'] })
      onClose()
    },
  })
  const wrong = messageFor(inviting.error, 'email')
  return (
    <MemberForm
      title={words('inviteTitle')}
      action={words('invite')}
      membership={null}
      offered={offered}
      isReady={email.trim() !== ''}
      error={wrong === null ? inviting.error : null}
      isPending={inviting.isPending}
      onClose={onClose}
      onSave={inviting.submit}
    >
      <InvitedAddress
        label={words('email')}
        help={words('emailHelp')}
        value={email}
        onChange={(typed) => draft.put({ email: typed })}
        error={wrong}
      />
    </MemberForm>
  )
}

type RemoveProps = { member: TeamMember; nom: string; onClose: () => void }

/** Asks before a member is removed, or an invitation withdrawn. */
function Remove({ member, nom, onClose }: RemoveProps) {
  const words = useTranslations('espace.team')
  const common = useTranslations('acteurs.members')
  const { acteurId } = route.useParams()
  const client = useQueryClient()
  const isInvited = member.status === 'invited'
  const removing = useSubmit({
    mutationFn: () => removeMember(acteurId, member),
    onSuccess: () => {
      onClose()
      showToast({ title: words(isInvited ? 'isWithdrawn' : 'isRemoved', { nom }) })
    },
    onSettled: () => void client.invalidateQueries({ queryKey: ['acteurs'] }),
  })
  return (
    <Confirm
      title={isInvited ? words('withdrawTitle', { nom }) : common('removeTitle', { nom })}
      action={common('remove')}
      isOpen
      isPending={removing.isPending}
      onClose={onClose}
      onConfirm={() => removing.submit()}
    >
      <p>{isInvited ? words('withdrawText') : common('removeText')}</p>
      {removing.isError && <ShownFailure error={removing.error} />}
    </Confirm>
  )
}
