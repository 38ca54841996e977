import { ListPage } from '@/components/list/list-page'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { EntryQuery } from '@/lib/network/access-lists/contract'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { Entries } from '../_ui/access-lists/entries'
import { CheckAddress, CreateEntry } from '../_ui/access-lists/entry-parts'

export const generateMetadata = () => screenTitle('PlatformBlacklist')

/** The blacklist: the addresses for which the portal doesn't open. */
export default async function BlacklistPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformBlacklist', EntryQuery, searchParams)
  const action = (
    <>
      <CheckAddress ip={list.ctx.ip} />
      {list.mayWrite ? <CreateEntry list="blacklist" /> : null}
    </>
  )
  return (
    <ListPage name={list.name} texts="blacklist" more={['access-lists']} action={action} columns={5}>
      <Entries {...list} list="blacklist" />
    </ListPage>
  )
}
