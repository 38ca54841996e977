import { getMessages, getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { PageMessages } from '@/components/shell/page-messages'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { PageHeader } from '@/components/ui/page-header'
import { pageUser } from '@/lib/context/navigation'
import { pageContext } from '@/lib/context/page'
import { screenTitle } from '@/lib/context/title'
import { localName } from '@/lib/kernel/i18n/local-name'
import { pickMessages } from '@/lib/kernel/i18n/messages'
import { pictureAddress } from '@/lib/people/pictures/address'
import { initialsOf } from '@/lib/people/users/initials'
import { emptyRequiredFields, isOwnAccountEditable, personalData } from '@/lib/people/users/service'
import { AccessSection } from './_ui/access-section'
import { ContactsSection } from './_ui/contacts-section'
import { DeletionSection } from './_ui/deletion-section'
import { OwnAvatar } from './_ui/own-avatar'
import { PersonalTabs } from './_ui/personal-tabs'

/** The fields that the sections below the first one show. */
const elsewhere = ['email', 'mobile', 'login']

export const generateMetadata = () => screenTitle('UserProfileMain')

export default async function PersonalPage() {
  const { ctx } = await pageContext()
  const user = await pageUser(ctx, '/platform/profile/personal')
  const [t, tAccount, messages] = await Promise.all([
    getTranslations('profile'),
    getTranslations('account'),
    getMessages(),
  ])
  const [{ fio, login }, empty, editable] = await Promise.all([
    personalData(user.id),
    emptyRequiredFields(user.id),
    isOwnAccountEditable(user.id),
  ])
  const missing = (code: string) => (empty.some((field) => field.code === code) ? t('missing') : undefined)
  return (
    <PageMessages messages={pickMessages(messages, ['account', 'entry'])}>
      <div className="grid max-w-[44rem] gap-6">
        <PageHeader title={t('personal')} />
        <PersonalTabs current="data" />
        {editable ? (
          <CardGroup title={tAccount('avatar.title')}>
            <OwnAvatar
              initials={initialsOf(user)}
              picture={user.picture ? pictureAddress(user.picture, 'large') : null}
            />
          </CardGroup>
        ) : null}
        <KeyValues>
          <KeyValue id="fio" label={t('fields.fio')} missing={missing('fio')}>
            {fio || null}
          </KeyValue>
          {empty
            .filter(({ code }) => code !== 'fio' && !elsewhere.includes(code))
            .map((field) => (
              <KeyValue key={field.code} id={field.code} label={localName(field, ctx.locale)} missing={t('missing')} />
            ))}
        </KeyValues>
        <ContactsSection ctx={ctx} editable={editable} />
        <AccessSection ctx={ctx} login={login} />
        {editable ? <DeletionSection ctx={ctx} login={login} /> : null}
      </div>
    </PageMessages>
  )
}
