import { ScreenLink } from './links.tsx'

type BackToProps = {
  to:
    | '/account'
    | '/acteurs'
    | '/claims'
    | '/communes'
    | '/complaints'
    | '/imports'
    | '/subscriptions'
    | '/users'
  title: string
}

/** Link from a screen to the list that it belongs to. */
export function BackTo({ to, title }: BackToProps) {
  // Exact: otherwise it would be marked as the current page, whose URL begins with the URL of the list.
  return (
    <ScreenLink look="quiet" small icon="back" to={to} activeOptions={{ exact: true }}>
      {title}
    </ScreenLink>
  )
}
