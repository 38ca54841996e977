import { ListPage } from '@/components/list/list-page'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { VersionQuery } from '@/lib/operations/diagnostics/contract'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { Findings } from './_ui/findings'
import { RefreshVersions } from './_ui/refresh'
import { Versions } from './_ui/versions'

export const generateMetadata = () => screenTitle('PlatformDiagnostics')

/** Versions, and settings that are weaker than advised. */
export default async function DiagnosticsPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const { name, ctx, query, address } = await listPageContext('PlatformDiagnostics', VersionQuery, searchParams)
  return (
    <ListPage name={name} texts="diagnostics" columns={5} action={<RefreshVersions />}>
      <Findings ctx={ctx} />
      <Versions ctx={ctx} query={query} address={address} />
    </ListPage>
  )
}
