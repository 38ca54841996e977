import { choice, defineEntity, json, list, text, yesNo } from '@/lib/kernel/record/entity'

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
  devicesIdAttributes: json<Record<string, string[]>>('domains.devicesIdAttributes'),
  documents: list<string>('domains.documents'),
  agreements: list<object>('domains.agreements'),
  locales: list<object>('domains.locales'),
  domains: list<string>('domains.domains'),
  logoId: text('domains.logo'),
  messageTexts: json<Record<string, string>>('domains.messageTexts'),
})
