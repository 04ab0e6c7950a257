/* SPDX-License-Identifier: MIT */
#include "host/endpoint.h"

#include <arpa/inet.h>
#include <stdio.h>

bool endpoint_parse(union endpoint *endpoint, const char *text)
{
	*endpoint = (union endpoint){ .v6 = { 0 } };
	if (inet_pton(AF_INET, text, &endpoint->v4.sin_addr) == 1) {
		endpoint->v4.sin_family = AF_INET;
		return true;
	}
	if (inet_pton(AF_INET6, text, &endpoint->v6.sin6_addr) != 1)
		return false;
	endpoint->v6.sin6_family = AF_INET6;
	return true;
}

void endpoint_text(const union endpoint *endpoint, char text[ENDPOINT_TEXT])
{
	const void *address = endpoint->any.sa_family == AF_INET ?
				      (const void *)&endpoint->v4.sin_addr :
				      (const void *)&endpoint->v6.sin6_addr;

	if (!inet_ntop(endpoint->any.sa_family, address, text, ENDPOINT_TEXT))
		snprintf(text, ENDPOINT_TEXT, "?");
}

socklen_t endpoint_size(const union endpoint *endpoint)
{
	return endpoint->any.sa_family == AF_INET ? sizeof endpoint->v4 : sizeof endpoint->v6;
}

void endpoint_set_port(union endpoint *endpoint, uint16_t port)
{
	if (endpoint->any.sa_family == AF_INET)
		endpoint->v4.sin_port = htons(port);
	else
		endpoint->v6.sin6_port = htons(port);
}

uint16_t endpoint_port(const union endpoint *endpoint)
{
	return ntohs(endpoint->any.sa_family == AF_INET ? endpoint->v4.sin_port :
							  endpoint->v6.sin6_port);
}

bool endpoint_is_loopback(const union endpoint *endpoint)
{
	if (endpoint->any.sa_family == AF_INET)
		return ntohl(endpoint->v4.sin_addr.s_addr) >> 24 == 127;
	return IN6_IS_ADDR_LOOPBACK(&endpoint->v6.sin6_addr);
}

uint8_t endpoint_family(const union endpoint *endpoint)
{
	return endpoint->any.sa_family == AF_INET ||
			       IN6_IS_ADDR_V4MAPPED(&endpoint->v6.sin6_addr) ? 4 : 6;
}
