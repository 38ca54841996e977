import { ListPage } from '@/components/list/list-page'
import { listPageContext } from '@/lib/context/list-page'
import { screenTitle } from '@/lib/context/title'
import type { PageSearch } from '@/lib/kernel/list-address'
import { UserQuery } from '@/lib/people/user-administration/contract'
import { newUserFields } from '@/lib/people/user-administration/fields'
import { CreateUser } from './_ui/user-parts'
import { Users } from './_ui/users'

export const generateMetadata = () => screenTitle('PlatformUsers')

/** Everybody who has an account. */
export default async function UsersPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformUsers', UserQuery, searchParams)
  const create = list.mayWrite ? <CreateUser fields={await newUserFields(list.ctx)} /> : null
  return (
    <ListPage name={list.name} texts="users" action={create} columns={6}>
      <Users {...list} />
    </ListPage>
  )
}
