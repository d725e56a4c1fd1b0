import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { SearchCombo } from '../../shell/choices/search-combo.tsx'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { TitleLink } from '../../shell/records/links.tsx'
import { usePermissionText } from '../../shell/records/permissions.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import type { Choice } from '../../ui/combo.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Soft } from '../../ui/layout.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Section } from '../../ui/page.tsx'
import { showToast } from '../../ui/toast.tsx'
import { MemberForm, permissionsFor } from './member-form.tsx'
import { type Member, type Membership, newMemberChoices, setMembership } from './members.queries.ts'
import type { Acteur } from './queries.ts'

type Asked = { what: 'add' } | { what: 'edit' | 'remove'; member: Member }

/** Who may act for the acteur, and what each may do. */
export function Members({ acteur }: { acteur: Acteur }) {
  const words = useTranslations('acteurs.members')
  const permissionsOf = usePermissionText()
  const client = useQueryClient()
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = () => {
    setAsked(null)
    changing.reset()
  }
  const changing = useSubmit({
    mutationFn: ({ userId, membership }: { userId: string; membership: Membership | null }) =>
      setMembership(userId, acteur.id, membership),
    onSuccess: (_, { membership }) => {
      setAsked(null)
      showToast({ title: words(membership === null ? 'removed' : 'saved') })
    },
    onSettled: () =>
      Promise.all(['acteurs', 'users'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  })
  const mayChange = acteur.can.includes('edit')
  const nameOf = ({ nom, email }: Member) => nom ?? email ?? words('unnamed')
  return (
    <Section title={words('title')}>
      {acteur.members.length === 0 && <Soft>{words('none')}</Soft>}
      <Lines label={words('title')}>
        {acteur.members.map((member) => (
          <OneLine
            key={member.user_id}
            icon="user"
            title={
              <TitleLink to="/users/$userId" params={{ userId: member.user_id }}>
                {nameOf(member)}
              </TitleLink>
            }
            badge={
              <Badge tone={member.role === 'owner' ? 'accent' : 'plain'}>
                {words(`role.${member.role}`)}
              </Badge>
            }
            note={permissionsOf(member)}
            actions={
              mayChange && (
                <>
                  <Button
                    small
                    aria-label={words('editNamed', { nom: nameOf(member) })}
                    onPress={() => setAsked({ what: 'edit', member })}
                  >
                    {words('edit')}
                  </Button>
                  <Button
                    small
                    look="quiet"
                    aria-label={words('removeNamed', { nom: nameOf(member) })}
                    onPress={() => setAsked({ what: 'remove', member })}
                  >
                    {words('remove')}
                  </Button>
                </>
              )
            }
          />
        ))}
      </Lines>
      {mayChange && (
        <div>
          <Button icon="user" onPress={() => setAsked({ what: 'add' })}>
            {words('add')}
          </Button>
        </div>
      )}
      {asked !== null && asked.what !== 'remove' && (
        <OneMember
          acteur={acteur}
          member={asked.what === 'edit' ? asked.member : null}
          error={changing.error}
          isPending={changing.isPending}
          onClose={close}
          onSave={(userId, membership) => changing.submit({ userId, membership })}
        />
      )}
      {asked?.what === 'remove' && (
        <Confirm
          title={words('removeTitle', { nom: nameOf(asked.member) })}
          action={words('remove')}
          isOpen
          isPending={changing.isPending}
          onClose={close}
          onConfirm={() => changing.submit({ userId: asked.member.user_id, membership: null })}
        >
          <p>{words('removeText')}</p>
          {changing.isError && <ShownFailure error={changing.error} />}
        </Confirm>
      )}
    </Section>
  )
}

/** Form of a member; null: a new one, chosen among the accounts. */
function OneMember({ acteur, member, onSave, ...form }: OneMemberProps) {
  const words = useTranslations('acteurs.members')
  const [chosen, setChosen] = useState<Choice | null>(null)
  const userId = member?.user_id ?? chosen?.id
  return (
    <MemberForm
      {...form}
      title={words(member === null ? 'add' : 'editTitle')}
      membership={member}
      offered={permissionsFor(acteur.type)}
      isReady={userId !== undefined}
      onSave={(membership) => userId && onSave(userId, membership)}
    >
      {member === null && (
        <SearchCombo
          label={words('who')}
          help={words('whoHelp')}
          isRequired
          search={(q) => newMemberChoices(q, acteur)}
          chosen={chosen}
          onChoose={setChosen}
        />
      )}
    </MemberForm>
  )
}

type OneMemberProps = {
  acteur: Acteur
  member: Member | null
  error: unknown
  isPending: boolean
  onClose: () => void
  onSave: (userId: string, membership: Membership) => void
}
