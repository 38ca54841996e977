import { providerLogoutRoute } from '@/lib/request/provider-sign-in'

export const POST = providerLogoutRoute
