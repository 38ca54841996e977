import { ListPage } from '@/components/list/list-page'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { SignInQuery } from '@/lib/sign-in/sign-in-log/contract'
import { SignIns } from '../_ui/sign-ins'

export const generateMetadata = () => screenTitle('PlatformSignIns')

/** Who signed in and who was refused, with the cause. */
export default async function SignInsPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const { name, ctx, query, address } = await listPageContext('PlatformSignIns', SignInQuery, searchParams)
  return (
    <ListPage name={name} texts="sign-ins" more={['address-limits']} columns={6}>
      <SignIns ctx={ctx} query={query} address={address} />
    </ListPage>
  )
}
