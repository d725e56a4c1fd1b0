import { useTranslations } from 'use-intl'
import { api, got } from '../../api/client.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { download } from '../../ui/download.ts'
import { showToast } from '../../ui/toast.tsx'
import { useSubmit } from '../editing/use-submit.ts'
import { useFailureToast } from '../shown-failure.tsx'

type ExportButtonProps = {
  /** The list, as in its address below `/admin/`. */
  list: string
  /** The query of the list on the screen; its page is ignored. */
  query: Readonly<Record<string, unknown>>
  /** How many rows the filters leave; undefined until the list has loaded. */
  meta: { total: number; total_is_at_least?: boolean } | undefined
  /** Shows the icon only, where there is no space. */
  small?: boolean
}

/** Downloads all rows that the filters of a list leave, as a CSV file. */
export function ExportButton({ list, query, meta, small = false }: ExportButtonProps) {
  const words = useTranslations('export')
  const showFailure = useFailureToast()
  const count = meta?.total ?? 0
  // The file has all rows, also where the list stopped counting.
  const isMore = String(meta?.total_is_at_least === true)
  const exporting = useSubmit({
    mutationFn: async () =>
      (await got(api.POST('/api/v1/admin/exports', { body: { list, query: addressOf(query) } }))).data.url,
    onSuccess: (url) => {
      // As a download, so that a refusal leaves the screen as it is. On the origin of this page, which has the
      // session, whatever the public address is.
      download(new URL(url).pathname)
      showToast({ title: words('begins', { count, isMore }), detail: words('where') })
    },
    onError: (error) => showFailure(words('failed'), error),
  })
  const label = words('rows', { count, isMore })
  const isDisabled = !count || exporting.isPending
  const onPress = () => exporting.submit()
  if (small) return <IconButton icon="download" label={label} isDisabled={isDisabled} onPress={onPress} />
  return (
    <Button
      look="quiet"
      icon="download"
      isDisabled={!count}
      isPending={exporting.isPending}
      onPress={onPress}
    >
      {label}
    </Button>
  )
}

/** Writes filters as in an address, several values of one separated by commas. */
function addressOf({
  page: _page,
  per_page: _perPage,
  after: _after,
  ...filters
}: ExportButtonProps['query']): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
}
