import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Webhooks } from '../../shell/webhooks/webhooks.tsx'

const route = getRouteApi('/signed-in/system/webhooks')

/** Screen of the programs that are told of the changes of all records. */
export function WebhooksScreen() {
  const navigate = useNavigate()
  return (
    <Webhooks
      acteurId={null}
      search={route.useSearch()}
      onSearch={(search) => void navigate({ to: '.', search })}
    />
  )
}
