import { UserRound } from 'lucide-react'
import { getMessages, getTranslations } from 'next-intl/server'
import { cache } from 'react'
import { Card } from '@/components/card/card'
import { PageMessages } from '@/components/shell/page-messages'
import { AddressText } from '@/components/ui/address-text'
import { Avatar } from '@/components/ui/avatar'
import { Breadcrumbs } from '@/components/ui/breadcrumbs'
import { TextLink } from '@/components/ui/text-link'
import { pictureAddress } from '@/lib/accounts/pictures/address'
import { initialsOfName } from '@/lib/accounts/users/initials'
import type { Ctx } from '@/lib/base/context/ctx'
import { pickMessages } from '@/lib/base/i18n/messages'
import { screenNamed } from '@/lib/base/navigation/screens'
import { mobileText } from '@/lib/base/text/mobile'
import { readContact } from '@/lib/companies/colleagues/service'
import { cardPageContext } from '@/lib/request/card-page'
import { cardTitle } from '@/lib/request/title'
import { AccessPill } from '../_ui/access-pill'
import { ContactCompany } from './_ui/contact-company'

const read = cache((ctx: Ctx, userId: string) => readContact(ctx, { params: { userId } }))

export const generateMetadata = cardTitle(
  'UserProfileContact',
  async (ctx, id) => (await read(ctx, id)).name || (await getTranslations('contacts'))('nameless'),
)

/** One contact: how to reach them, the common companies, and their roles there. */
export default async function ContactPage(page: PageProps<'/platform/profile/contacts/[id]'>) {
  const card = await cardPageContext('UserProfileContact', page, { main: null })
  const { ctx, id } = card
  const [t, tShell, messages, contact] = await Promise.all([
    getTranslations('contacts'),
    getTranslations('shell.screens'),
    getMessages(),
    card.read(() => read(ctx, id)),
  ])
  const { email, mobile, picture, access, contractors } = contact
  const name = contact.name || t('nameless')
  return (
    <PageMessages messages={pickMessages(messages, ['contacts', 'requisites'])}>
      <div className="pb-3 print:hidden">
        <Breadcrumbs
          trail={[
            { label: tShell('UserProfileContacts'), href: screenNamed('UserProfileContacts').path },
            { label: name },
          ]}
        />
      </div>
      <Card
        person
        title={name}
        tile={
          picture ? (
            <Avatar initials="" src={pictureAddress(picture)} className="size-full" />
          ) : (
            initialsOfName(contact.name) || <UserRound />
          )
        }
        state={<AccessPill access={access} />}
        facts={[
          email && (
            <TextLink href={`mailto:${email}`}>
              <AddressText>{email}</AddressText>
            </TextLink>
          ),
          mobile && (
            <TextLink href={`tel:${mobile}`} className="tabular-nums">
              {mobileText(mobile, ctx.locale)}
            </TextLink>
          ),
        ]}
      >
        <ul className="grid gap-3">
          {contractors.map((contractor) => (
            <li key={contractor.id}>
              <ContactCompany userId={id} person={name} contractor={contractor} last={contractors.length === 1} />
            </li>
          ))}
        </ul>
      </Card>
    </PageMessages>
  )
}
