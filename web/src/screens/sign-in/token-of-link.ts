import { useEffect, useState } from 'react'

/** Reads the token and removes it from the URL immediately, to keep it out of history and screenshots. */
export function useTokenOfLink(): [token: string | null, forget: () => void] {
  const [token, setToken] = useState(() => tokenIn(location.hash))
  useEffect(() => {
    const take = () => {
      const found = tokenIn(location.hash)
      if (found === null) return
      setToken(found)
      history.replaceState(history.state, '', location.pathname + location.search)
    }
    take()
    window.addEventListener('hashchange', take)
    return () => window.removeEventListener('hashchange', take)
  }, [])
  return [token, () => setToken(null)]
}

const tokenIn = (hash: string) => new URLSearchParams(hash.slice(1)).get('token')
