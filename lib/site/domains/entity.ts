import {
  choice,
  choices,
  defineEntity,
  json,
  jsonOf,
  list,
  number,
  records,
  reference,
  references,
  text,
  yesNo,
} from '@/lib/base/audit/entity'

const technical = records<object>('domains.technical', null, {
  title: text('domains.technicalTitle'),
  text: text('domains.technicalText'),
  link: text('domains.technicalLink'),
  mobile: text('domains.technicalMobile'),
})

/** The audited fields of a domain's language; the settings themselves have no label. */
const localeMembers = {
  localeId: reference('domains.languages', 'locales'),
  order: number('domains.record.order'),
  enabled: yesNo('domains.record.shown'),
  settings: json('', undefined, {
    projectTitle: text('domains.projectTitle'),
    projectName: text('domains.projectName'),
    siteName: text('domains.siteName'),
    siteLink: text('domains.siteLink'),
    copyright: text('domains.copyright'),
    banners: references('domains.banners', 'banners'),
    technical,
  }),
}

export const domainEntity = defineEntity('domains', {
  type: choice('domains.type', ['draft', 'other'], 'domains.types'),
  enabled: yesNo('domains.enabled'),
  comment: text('domains.comment'),
  aliases: list<string>('domains.aliases'),
  imageCode: text('domains.imageCode'),
  styleTemplate: text('domains.styleTemplate'),
  publicDocsUrl: text('domains.publicDocsUrl'),
  baseSettings: yesNo('domains.baseSettings'),
  cookie: yesNo('domains.cookie'),
  timeZone: text('domains.timeZone'),
  devicesIdAttributes: jsonOf<Record<string, string[]>>(
    'domains.devicesIdAttributes',
    'deviceTypes',
    choices('domains.devicesIdAttributes', ['login', 'email', 'mobile'], 'domains.kinds'),
  ),
  documents: references('domains.documents', 'documents'),
  agreements: records<object>('domains.agreements', 'agreementId', {
    agreementId: reference('domains.agreements', 'documents'),
    loginRequired: yesNo('domains.flags.loginRequired'),
    footerVisible: yesNo('domains.flags.footerVisible'),
    menuVisible: yesNo('domains.flags.menuVisible'),
    profileVisible: yesNo('domains.flags.profileVisible'),
  }),
  locales: records<object>('domains.locales', 'localeId', localeMembers),
  domains: references('domains.domains', 'domains'),
  logoId: text('domains.logo'),
  messageTexts: json<Record<string, string>>('domains.messageTexts'),
})
