import { notFound } from 'next/navigation'
import { getMessages, getTranslations } from 'next-intl/server'
import { Card, CardColumns } from '@/components/card/card'
import { PageMessages } from '@/components/shell/page-messages'
import { Avatar } from '@/components/ui/avatar'
import { Pill } from '@/components/ui/pill'
import { pictureAddress } from '@/lib/accounts/pictures/address'
import { initialsOf } from '@/lib/accounts/users/initials'
import { localName } from '@/lib/base/i18n/local-name'
import { pickMessages } from '@/lib/base/i18n/messages'
import { configureProfile, readProfileDetails } from '@/lib/my-account/personal/service'
import { pageUser } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'
import { screenTitle } from '@/lib/request/title'
import { Access } from './_ui/sections/access'
import { Agreements } from './_ui/sections/agreements'
import { Contacts } from './_ui/sections/contacts'
import { Deletion } from './_ui/sections/deletion'
import { Factors } from './_ui/sections/factors'
import { FieldBlocks } from './_ui/sections/field-blocks'
import { OwnHistory } from './_ui/sections/history'
import { Passkeys } from './_ui/sections/passkeys'
import { Picture } from './_ui/sections/picture'
import { Providers } from './_ui/sections/providers'
import { SignInFacts } from './_ui/sections/sign-in-facts'
import { Updated } from './_ui/sections/updated'
import { fieldTab, historyTab, mainTab, personalPath, tabSearch } from './_ui/tabs'

export const generateMetadata = () => screenTitle('UserProfileMain')

/** The own account: fields by tabs and blocks, contacts, the person's access, and agreements. */
export default async function PersonalPage({ searchParams }: PageProps<'/platform/profile/personal'>) {
  const { ctx } = await pageContext()
  const user = await pageUser(ctx, '/platform/profile/personal', tabSearch(await searchParams))
  const { tab: requestedTab, ...search } = await searchParams
  const [t, tAccount, messages, details, { tabs }] = await Promise.all([
    getTranslations('profile'),
    getTranslations('account'),
    getMessages(),
    readProfileDetails(ctx),
    configureProfile(ctx),
  ])
  const fieldTabs = tabs.filter(({ id }) => id !== mainTab)
  const tabList = [
    { id: 'main', label: t('tabs.main') },
    ...fieldTabs.map((tab) => ({ id: fieldTab(tab.id), label: localName(tab, ctx.locale) })),
    { id: 'access', label: t('tabs.access') },
    ...(details.termsInfo.length > 0 ? [{ id: 'agreements', label: t('tabs.agreements') }] : []),
    { id: historyTab, label: tAccount('history') },
  ]
  const tab = requestedTab === undefined ? 'main' : tabList.find(({ id }) => id === requestedTab)?.id
  if (tab === undefined) notFound()
  const hrefOf = (id: string) => (id === 'main' ? personalPath : `${personalPath}?tab=${encodeURIComponent(id)}`)
  const open = tabs.find(({ id }) => (tab === 'main' ? id === mainTab : fieldTab(id) === tab))
  const { mainInfo } = details
  return (
    <PageMessages messages={pickMessages(messages, ['account', 'entry', 'history', 'profile', 'provider-sign-in'])}>
      <Card
        person
        title={mainInfo.fio || user.login}
        tile={
          user.picture ? (
            <Avatar initials={initialsOf(user)} src={pictureAddress(user.picture)} className="size-full" />
          ) : (
            initialsOf(user)
          )
        }
        state={mainInfo.isEditable ? null : <Pill>{t('readOnly')}</Pill>}
        facts={[
          mainInfo.fio ? mainInfo.login : null,
          mainInfo.directory && t('fromDirectory', { directory: mainInfo.directory }),
        ]}
        tabs={tabList.map(({ id, label }) => ({ href: hrefOf(id), label }))}
        current={hrefOf(tab)}
      >
        {tab === 'main' ? (
          <div className="grid gap-8">
            <CardColumns
              side={
                <>
                  {mainInfo.isEditable ? <Picture user={user} /> : null}
                  <SignInFacts ctx={ctx} details={details} />
                  <Passkeys ctx={ctx} />
                  <Factors ctx={ctx} />
                  <Providers ctx={ctx} outcome={typeof search.provider === 'string' ? search.provider : undefined} />
                  <Updated details={details} />
                </>
              }
            >
              {open ? <FieldBlocks ctx={ctx} blocks={open.subtypes} details={details} /> : null}
              <Contacts ctx={ctx} details={details} fields={open?.subtypes.flatMap(({ fields }) => fields) ?? []} />
            </CardColumns>
            <Deletion user={user} details={details} />
          </div>
        ) : null}
        {tab !== 'main' && open ? (
          <CardColumns>
            <FieldBlocks ctx={ctx} blocks={open.subtypes} details={details} />
          </CardColumns>
        ) : null}
        {tab === 'access' ? <Access details={details} /> : null}
        {tab === historyTab ? <OwnHistory ctx={ctx} search={search} /> : null}
        {tab === 'agreements' ? <Agreements terms={details.termsInfo} /> : null}
      </Card>
    </PageMessages>
  )
}
