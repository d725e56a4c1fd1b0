import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { ApiFailure } from '../../../api/failure.ts'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Notice } from '../../../ui/notice.tsx'

/** The address of another act at the end of a refusal. */
const otherAct = /\s*:\s*\/api\/v1\/acts\/([\da-f-]{36})$/

/** Shows why an act was refused; one that exists already, with the way to it. */
export function ActFailure({ acteurId, error }: { acteurId: string; error: unknown }) {
  const words = useTranslations('espace.acts')
  const found =
    error instanceof ApiFailure && error.code === 'act_exists' ? otherAct.exec(error.message) : null
  const id = found?.[1]
  if (!found || id === undefined) return <ShownFailure error={error} />
  return (
    <Notice tone="bad" title={`${found.input.slice(0, found.index)}.`}>
      <Link to="/espace/$acteurId/actes/$id" params={{ acteurId, id }}>
        {words('openOther')}
      </Link>
    </Notice>
  )
}
