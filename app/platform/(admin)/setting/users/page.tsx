import { ListPage } from '@/components/list/list-page'
import { listPageContext } from '@/lib/context/list-page'
import { screenTitle } from '@/lib/context/title'
import type { PageSearch } from '@/lib/kernel/list-address'
import { UserQuery } from '@/lib/people/user-administration/contract'
import { Users } from './_ui/users'

export const generateMetadata = () => screenTitle('PlatformUsers')

/** Everybody who has an account. */
export default async function UsersPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformUsers', UserQuery, searchParams)
  return (
    <ListPage name={list.name} texts="users" columns={5}>
      <Users {...list} />
    </ListPage>
  )
}
