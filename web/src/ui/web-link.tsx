import type { ReactNode } from 'react'

type WebLinkProps = { address: string; children?: ReactNode }

/** Link to another site in a new tab. An address of another scheme, such as `javascript:`, is shown as text. */
export function WebLink({ address, children = address }: WebLinkProps) {
  if (!/^https?:/i.test(address)) return children
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}
