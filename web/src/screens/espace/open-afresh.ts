import { useQueryClient } from '@tanstack/react-query'
import { type NavigateOptions, useNavigate, useRouter } from '@tanstack/react-router'
import { meQuery, readAfresh } from '../../api/queries.ts'

/** Returns a function that opens a screen after the user's acteurs have changed: it reads them again before. */
export function useOpenAfresh() {
  const client = useQueryClient()
  const router = useRouter()
  const navigate = useNavigate()
  return async (screen: NavigateOptions) => {
    await readAfresh(client, meQuery)
    await navigate(screen)
    await router.invalidate()
  }
}
