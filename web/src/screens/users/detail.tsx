import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { meQuery } from '../../api/queries.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/empty.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Access } from './access.tsx'
import { addRole, removeRole, type User, userQuery } from './queries.ts'
import { type Role, roles } from './roles.ts'
import styles from './users.module.css'

const frame = getRouteApi('/signed-in')
const route = getRouteApi('/signed-in/users/$userId')

/** Account of a user: roles, signed-in devices, second factors and access. */
export function UserScreen() {
  const words = useTranslations('users')
  const { userId } = route.useParams()
  const found = useQuery(userQuery(userId))
  const user = found.data
  return (
    <Page
      title={user ? (user.nom ?? user.email ?? words('unnamed')) : words('title')}
      actions={<Link to="/users">{words('anyRole')}</Link>}
    >
      {found.isError && <ShownFailure error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <Skeleton lines={8} />}
      {user && (
        <>
          <Identity user={user} />
          <Section title={words('roles')} note={words('rolesNote')}>
            <Lines label={words('roles')}>
              {roles.map((role) => (
                <RoleLine key={role} user={user} role={role} />
              ))}
            </Lines>
          </Section>
          <Access user={user} />
        </>
      )}
    </Page>
  )
}

function Identity({ user }: { user: User }) {
  const words = useTranslations('users')
  return (
    <Section title={words('identity')}>
      <Facts
        facts={[
          [
            words('email'),
            <span key="email" className={styles.badges}>
              {user.email ?? words('none')}
              {user.email_verified && <Badge tone="good">{words('verified')}</Badge>}
              {!user.actif && <Badge tone="bad">{words('disabled')}</Badge>}
            </span>,
          ],
          [words('acteurs'), words('acteursCount', { count: user.acteurs.length })],
          [words('created'), <Time key="created" at={user.created_at} />],
          [
            words('lastSeen'),
            user.last_seen_at === null ? words('never') : <Time key="seen" at={user.last_seen_at} />,
          ],
        ]}
      />
    </Section>
  )
}

function RoleLine({ user, role }: { user: User; role: Role }) {
  const words = useTranslations()
  const client = useQueryClient()
  const router = useRouter()
  const { me } = frame.useRouteContext()
  const name = words(`roles.${role}`)
  const isGranted = user.roles.includes(role)
  const changing = useMutation({
    mutationFn: () => (isGranted ? removeRole(user.id, role) : addRole(user.id, role)),
    onSuccess: async () => {
      showToast({ title: words(isGranted ? 'users.roleRemoved' : 'users.roleGranted') })
      await client.invalidateQueries({ queryKey: ['users'] })
      if (user.id !== me.id) return
      // The user's own roles have changed: updates the navigation.
      await client.fetchQuery({ ...meQuery, staleTime: 0 })
      await router.invalidate()
    },
  })
  return (
    <OneLine
      icon="shield"
      title={name}
      badge={isGranted && <Badge tone="good">{words('users.granted')}</Badge>}
      note={words(`rolesAbout.${role}`)}
      actions={
        <Button
          small
          aria-label={words(isGranted ? 'users.removeNamed' : 'users.grantNamed', { role: name })}
          isPending={changing.isPending}
          onPress={() => changing.mutate()}
        >
          {words(isGranted ? 'users.remove' : 'users.grant')}
        </Button>
      }
    >
      {changing.isError && <ShownFailure error={changing.error} />}
    </OneLine>
  )
}
