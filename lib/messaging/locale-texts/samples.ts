import type { Sender } from '@/lib/base/mail-and-sms/letter'
import type { MailValues, SmsValues } from '@/lib/base/mail-and-sms/templates'
import { styleLook } from '@/lib/site/domains/style-templates'

type Code = 'ru' | 'en'

/** Both demo domains with their texts in a language. */
export const senders = (locale: Code): Record<'default' | 'partners', Sender> => ({
  default: {
    project: locale === 'ru' ? 'Полярис' : 'Polaris',
    origin: 'https://id.polaris.example',
    look: styleLook('default'),
    support: { text: 'support@polaris.example', link: 'mailto:support@polaris.example' },
  },
  partners: {
    project: locale === 'ru' ? 'Полярис · Партнёры' : 'Polaris · Partners',
    origin: 'https://partners.polaris.example',
    look: styleLook('partners'),
    support: { text: 'partners@polaris.example', link: 'mailto:partners@polaris.example' },
  },
})

const guid = '5f0c5a0e-7c55-4d0f-9a3e-2d1b6c8f4a77'
const date = new Date('2026-11-21T15:40:00Z')

/** A sample value for every argument of every mail, with links to this origin. */
export function mailSamples(locale: Code, origin = 'https://id.polaris.example'): MailValues {
  const link = (path: string) => `${origin}/platform${path}`
  const ru = locale === 'ru'
  const name = ru ? 'Анна' : 'Anna'
  const person = ru ? 'Смирнов Олег Викторович' : 'Oleg Smirnov'
  const company = ru ? 'ООО «Северный ветер»' : 'North Wind LLC'
  const provider = ru ? 'Каталог «Полярис»' : 'Polaris Directory'
  const roles = ru ? ['Менеджер заявок', 'Наблюдатель склада'] : ['Order manager', 'Warehouse observer']
  const device = ru ? 'Chrome 140, Windows 11' : 'Chrome 140, Windows 11'
  const login = 'anna.petrova'
  const ip = '203.0.113.42'
  const email = 'oleg@severveter.example'
  return {
    newDevice: { name, device, ip, date, link: link(`/login/device/${guid}`) },
    signInCode: { name, code: '4071', minutes: 10 },
    registrationLink: { name, link: link(`/registration/${guid}`), alive: 86_400 },
    registrationKnown: { name, login, link: link(`/new-password/${guid}`), alive: 3_600 },
    registrationDirectory: { name, provider, link: link('/login') },
    registrationDone: { name, login, link: link('/login') },
    recoveryLink: { name, login, link: link(`/new-password/${guid}`), alive: 5_400, ip },
    firstEntry: { name, login, link: link(`/login/password/${guid}`), alive: 259_200 },
    passwordReset: { name, login, link: link(`/new-password/${guid}`), alive: 5_400 },
    recoveryDirectory: { name, provider, link: 'https://directory.polaris.example/password' },
    passwordChanged: { name, date, ip, device, link: link('/forgot-password') },
    passwordEnded: { name, date, ip, device, link: link('/forgot-password') },
    factorAdded: { name, date, ip, device, link: link(`/login/device/${guid}`) },
    factorRemoved: { name, date, ip, device, link: link('/profile/personal') },
    factorReset: { name, date, link: link('/profile/personal') },
    passkeyAdded: { name, date, ip, device, link: link(`/login/device/${guid}`) },
    passkeyRemoved: { name, date, ip, device, link: link('/profile/personal') },
    recoveryCodesRenewed: { name, date, ip, device, link: link(`/login/device/${guid}`) },
    recoveryCodeUsed: { name, date, ip, device, link: link('/profile/personal') },
    invitation: { name: '', inviter: person, company, roles, link: link(`/invitation/${guid}`), alive: 604_800 },
    invitationAccepted: { name, person, email, company },
    invitationDeclined: { name, email, company },
    invitationRevoked: { name: '', company },
    accessRequested: {
      name,
      person,
      email,
      companies: [company, ru ? 'АО «Ладога Транс»' : 'Ladoga Trans JSC'],
      link: link('/profile/requests/access'),
    },
    accessApproved: { name, company, roles, opened: 'yes' as const, link: link('/profile/requests/access') },
    accessRefused: {
      name,
      company,
      reason: ru
        ? 'Не хватает доверенности от компании.\nПриложите её и отправьте запрос ещё раз.'
        : 'The company’s power of attorney is missing.\nAttach it and send the request again.',
      link: link('/profile/requests/access'),
    },
    accessDuplicate: { name, company, link: link('/profile/requests/access') },
    contactCode: { name, code: '5302', minutes: 5 },
    contactChanged: { name, kind: 'email', value: 'a***a@polaris.example', date, ip, link: link('/forgot-password') },
    providerLinked: { name, provider: 'Polaris ID', login, date, ip, link: link('/profile/personal') },
    passwordCode: { name, code: '6120', minutes: 5 },
    deletionCode: { name, code: '8814', minutes: 1 },
    factorsCode: { name, code: '8814', minutes: 1 },
    accountDeleted: { name, login, date },
    agreementReminder: {
      name,
      document: ru ? 'Политика обработки данных' : 'Data policy',
      link: link('/law/data-policy'),
    },
    test: { name, person, date },
    news: {
      name,
      title: ru ? 'Плановые работы в субботу' : 'Planned maintenance on Saturday',
      text: ru
        ? 'С 2:00 до 4:00 по московскому времени сервис «Склад» будет недоступен.\n\nЗаявки, которые вы отправите в это время, мы обработаем сразу после работ.'
        : 'From 2:00 to 4:00 Moscow time the Warehouse service will be unavailable.\n\nOrders sent during that time will be handled right afterwards.',
      link: link('/notify'),
    },
    digest: {
      name,
      period: 'weekly',
      items: [
        {
          title: ru ? 'Запрос доступа одобрен' : 'Access request approved',
          text: company,
          date: new Date('2026-11-17T08:05:00Z'),
          link: link('/profile/requests/access'),
        },
        {
          title: ru ? 'Новое приглашение' : 'New invitation',
          text: ru ? 'АО «Ладога Транс» приглашает вас' : 'Ladoga Trans JSC invites you',
          date: new Date('2026-11-19T13:30:00Z'),
          link: link('/profile/requests'),
        },
        {
          title: ru ? 'Плановые работы в субботу' : 'Planned maintenance on Saturday',
          text: '',
          date,
          link: '',
        },
      ],
      link: link('/notify'),
    },
  }
}

/** A sample value for every argument of every SMS. */
export function smsSamples(locale: Code): SmsValues {
  const company = locale === 'ru' ? 'ООО «Северный ветер»' : 'North Wind LLC'
  return {
    signInCode: { code: '4071' },
    mobileCode: { code: '5302' },
    passwordCode: { code: '6120' },
    deletionCode: { code: '8814' },
    factorsCode: { code: '8814' },
    newDevice: { device: 'Chrome 140, Windows', date },
    passwordChanged: { date },
    invitation: { company },
    accessApproved: { company },
    accessRefused: { company },
    test: { date },
  }
}
