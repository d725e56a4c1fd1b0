import { useTranslations } from 'use-intl'
import type { Me } from '../../api/queries.ts'
import styles from './permissions.module.css'

type Membership = Pick<Me['acteurs'][number], 'role' | 'permissions'>

/** Names of what a member may do for an acteur. */
const mayOf = ({ role, permissions }: Membership) =>
  role === 'owner' ? (['everything'] as const) : permissions.length === 0 ? (['read'] as const) : permissions

/** Returns a function that says in one line what a member may do for an acteur. */
export function usePermissionText() {
  const words = useTranslations('acteurs.members.may')
  return (membership: Membership) =>
    mayOf(membership)
      .map((one) => words(one))
      .join(' · ')
}

/** List of what a member may do for an acteur. */
export function Permissions({ membership }: { membership: Membership }) {
  const words = useTranslations('acteurs.members.may')
  return (
    <ul className={styles.permissions}>
      {mayOf(membership).map((one) => (
        <li key={one}>{words(one)}</li>
      ))}
    </ul>
  )
}
