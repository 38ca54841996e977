import { ListPage } from '@/components/list/list-page'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { EntryQuery } from '@/lib/network/access-lists/contract'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { Entries } from '../_ui/access-lists/entries'
import { CheckAddress, CreateEntry } from '../_ui/access-lists/entry-parts'
import { WhitelistWarning } from '../_ui/access-lists/whitelist-warning'
export const generateMetadata = () => screenTitle('PlatformWhitelist')

/** The whitelist: the addresses from which the portal opens. */
export default async function WhitelistPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformWhitelist', EntryQuery, searchParams)
  const action = (
    <>
      <CheckAddress ip={list.ctx.ip} />
      {list.mayWrite ? <CreateEntry list="whitelist" /> : null}
    </>
  )
  return (
    <ListPage name={list.name} texts="whitelist" more={['access-lists']} action={action} columns={5}>
      <WhitelistWarning ctx={list.ctx} />
      <Entries {...list} list="whitelist" />
    </ListPage>
  )
}
