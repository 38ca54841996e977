import { providerLogoutRoute } from '@/lib/context/provider-sign-in'

export const POST = providerLogoutRoute
