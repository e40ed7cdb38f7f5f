export function policyOf(html: string): string;
